import { activeLabels, builtInDetectors } from './built-in-rules.js';
import { findExtraMatches } from './extra-search.js';
import { mapJsonStrings } from './map-json-strings.js';
import { markerFinder, markerOf } from './marker.js';
import type { RedactionRules } from './redaction-rules.js';
import { replaceSpans } from './replace-spans.js';
import type { Span } from './span.js';

/**
 * Takes secrets out of what is stored or forwarded, with `[REDACTED:<label>]` in their place.
 * The time is linear in the text, and what is redacted already stays as it is.
 */
export interface Redactor {
  redactText(text: string): string;
  /** A JSON value with its strings redacted, at any depth; keys stay. The same value when there is nothing to redact. */
  redactJson(value: unknown): unknown;
}

/** A marker can stand where another rule, or the edge of another match, now sees an end: so redaction is repeated. */
const MOST_PASSES = 4;
const MOST_GROWTH = 2;
const GROWTH_OF_SHORT_TEXTS = 64;

/**
 * Makes a redactor of the built-in rules and the given ones; without arguments, of the built-in rules that are on by default.
 * A text that the given rules would make more than twice as long, or in which they have too many matches to be found
 * in linear time, is replaced whole.
 */
export function createRedactor({ rules = [], enable = [], disable = [] }: RedactionRules = {}): Redactor {
  const labels = activeLabels(enable, disable);
  const detectors = builtInDetectors(labels);
  const markersIn = markerFinder(new Set([...labels, ...rules.map(({ label }) => label)]));

  const spansIn = (text: string, key?: string): { spans: Span[]; exhausted?: string } => {
    const spans: Span[] = [];
    for (const detect of detectors) for (const span of detect(text, key)) spans.push(span);
    for (const rule of rules) {
      const { matches, exhausted } = findExtraMatches(rule, text);
      if (exhausted) return { spans, exhausted: rule.label };
      for (const match of matches) spans.push({ ...match, label: rule.label });
    }
    return { spans };
  };

  const redact = (text: string, key?: string): string => {
    let redacted = text;
    let label = '';
    for (let pass = 0; pass < MOST_PASSES; pass++) {
      const { spans, exhausted } = spansIn(redacted, key);
      if (!spans[0] && exhausted === undefined) return redacted;
      const markers = markersIn(redacted);
      const isMarker = markers[0]?.end === redacted.length && markers[0].start === 0;
      if (isMarker) return redacted;
      if (exhausted !== undefined) return markerOf(exhausted);

      const next = replaceSpans(redacted, spans, markers);
      if (next === redacted) return redacted;
      label = spans[0]?.label ?? label;
      if (next.length > MOST_GROWTH * text.length + GROWTH_OF_SHORT_TEXTS) return markerOf(label);
      redacted = next;
    }
    return markerOf(label);
  };

  return {
    redactText: (text) => redact(text),
    redactJson: (value) => mapJsonStrings(value, redact),
  };
}
