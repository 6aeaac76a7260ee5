import type { Matcher } from 're2js';
import type { ExtraRule } from './extra-rule.js';
import type { Range } from './marker.js';

/** A pattern sees this many characters at a time: its engine is at its best on short texts. */
const WINDOW = 1024;
/** A match up to this length is found wherever it stands; of a longer one, the part that decides must be this short. */
const OVERLAP = 256;
const WINDOW_GROWTH = 8;

const READ_BEHIND_PER_CHARACTER = 256;
const LEAST_READ_BEHIND = 65_536;
const STEPS_PER_MATCH = 256;

/** The matches of a rule, in order, or that a text has too many of them; and what it took to find that out. */
export interface ExtraMatches {
  matches: Range[];
  exhausted: boolean;
  /** At most so many steps were taken: characters times the size of the program, and some for each match. */
  steps: number;
}

/**
 * Finds all matches of a rule in time linear in the text.
 * A linear engine is linear for one match only: to find the next it may read again what it has read behind the last.
 * What may be read so is limited, by 256 steps a character of the text; beyond that the search gives up.
 */
export function findExtraMatches(rule: ExtraRule, text: string): ExtraMatches {
  const { programSize, lookahead } = rule;
  const matches: Range[] = [];
  let steps = 0;
  let mayReadBehind = LEAST_READ_BEHIND + READ_BEHIND_PER_CHARACTER * text.length;
  let from = 0;
  let view = viewOf(rule, text, from, WINDOW);

  while (from < text.length) {
    const match = firstMatch(view, from);
    const isLast = view.end === text.length;
    const isCut = match?.end === view.end && !isLast;
    const readUpTo = match && !isCut ? Math.min(view.end, match.end + lookahead) : view.end;
    steps += STEPS_PER_MATCH + (readUpTo - from) * programSize;
    if (match) mayReadBehind -= STEPS_PER_MATCH + (readUpTo - (isCut ? from : match.end)) * programSize;
    if (mayReadBehind < 0) return { matches, exhausted: true, steps };

    if (isCut) {
      view = viewOf(rule, text, from, (view.end - from) * WINDOW_GROWTH);
    } else if (match && (isLast || match.start <= view.end - OVERLAP)) {
      if (match.end > match.start) matches.push(match);
      from = match.end > match.start ? match.end : characterEnd(text, match.end);
    } else if (isLast) {
      break;
    } else {
      from = Math.max(from, characterStart(text, view.end - OVERLAP));
      view = viewOf(rule, text, from, WINDOW);
    }
  }
  return { matches, exhausted: false, steps };
}

/** The part of a text that a pattern sees; it also sees one character before it, for `\b` and `^`. */
interface View {
  matcher: Matcher;
  seenFrom: number;
  end: number;
}

function viewOf({ pattern }: ExtraRule, text: string, from: number, length: number): View {
  const seenFrom = Math.max(0, from - 1);
  const end = characterStart(text, from + length);
  return { matcher: pattern.matcher(text.slice(seenFrom, end)), seenFrom, end };
}

function firstMatch({ matcher, seenFrom }: View, from: number): Range | undefined {
  if (!matcher.find(from - seenFrom)) return undefined;
  return { start: matcher.start() + seenFrom, end: matcher.end() + seenFrom };
}

/** The place itself, or the one before it when it would cut a surrogate pair; the end when it lies behind it. */
function characterStart(text: string, at: number): number {
  if (at >= text.length) return text.length;
  return isInsidePair(text, at) ? at - 1 : at;
}

function characterEnd(text: string, at: number): number {
  return isInsidePair(text, at + 1) ? at + 2 : at + 1;
}

function isInsidePair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
