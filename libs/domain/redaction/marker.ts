/** What stands in a text in place of a secret. */
export function markerOf(label: string): string {
  return `[REDACTED:${label}]`;
}

/** What a label may be, so that a marker is safe wherever a text goes. */
export const LABEL = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** A part of a text, from `start` up to but without `end`. */
export interface Range {
  start: number;
  end: number;
}

/**
 * Finds the markers of the given labels, in order. Only these are markers: anything else in that form may be a secret
 * that somebody dressed up as one.
 */
export function markerFinder(labels: Iterable<string>): (text: string) => Range[] {
  const markers = new RegExp(String.raw`\[REDACTED:(?:${[...labels].join('|')})\]`, 'g');
  return (text) =>
    Array.from(text.matchAll(markers), ({ 0: marker, index }) => ({ start: index, end: index + marker.length }));
}
