import { markerOf, type Range } from './marker.js';
import type { Span } from './span.js';

/**
 * The text with a marker in place of each span; the same text when there is nothing to replace.
 * Spans may overlap: together they become one marker with the label of the first. A span that only partly covers a
 * marker that is already there takes in the whole of it, and one that covers nothing but markers changes nothing.
 */
export function replaceSpans(text: string, spans: readonly Span[], markers: readonly Range[]): string {
  const inOrder = spans.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let replaced = '';
  let copied = 0;
  for (const { start, end, label } of joined(aroundMarkers(inOrder, markers))) {
    replaced += text.slice(copied, start) + markerOf(label);
    copied = end;
  }
  return copied === 0 ? text : replaced + text.slice(copied);
}

function aroundMarkers(spans: readonly Span[], markers: readonly Range[]): Span[] {
  if (markers.length === 0) return [...spans];
  const widened: Span[] = [];
  let passed = 0;
  for (const span of spans) {
    while ((markers[passed]?.end ?? Infinity) <= span.start) passed++;
    let { start, end } = span;
    let fresh = end - start;
    for (let index = passed; (markers[index]?.start ?? Infinity) < span.end; index++) {
      const marker = markers[index] as Range;
      fresh -= Math.min(span.end, marker.end) - Math.max(span.start, marker.start);
      start = Math.min(start, marker.start);
      end = Math.max(end, marker.end);
    }
    if (fresh > 0) widened.push({ start, end, label: span.label });
  }
  return widened;
}

function joined(spans: readonly Span[]): Span[] {
  const apart: Span[] = [];
  for (const span of spans) {
    const last = apart.at(-1);
    if (last && (span.start < last.end || (span.start === last.end && span.label === last.label))) {
      last.end = Math.max(last.end, span.end);
    } else {
      apart.push({ ...span });
    }
  }
  return apart;
}
