/** A part of a text that must not be stored, from `start` up to but without `end`, in UTF-16 code units. */
export interface Span {
  start: number;
  end: number;
  label: string;
}

/**
 * Finds the secrets of one kind in a text, in time linear in its length: spans in order, none overlapping another.
 * `key` is the member's name when the text is the value of a JSON object's member.
 */
export type Detector = (text: string, key?: string) => readonly Span[];

export const NO_SPANS: readonly Span[] = [];
