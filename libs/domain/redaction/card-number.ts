import { ALPHANUMERIC, DIGIT, endOfRun, isAt } from './characters.js';
import { isCardOfIssuer, passesLuhn, SHORTEST_CARD } from './card-checks.js';
import { type Detector, NO_SPANS, type Span } from './span.js';

export const CARD_NUMBER_LABEL = 'card';

/** Digits without a separator inside. */
interface Group {
  start: number;
  end: number;
}

/** Spaces and dashes, the typographic ones too, as people and their devices write them. */
const SEPARATOR = /[ \u00A0\u2009\u202F\u2010\u2011\u2013-]/;
const MOST_SEPARATORS = 3;
/** 4-4-4-4 with up to 3 more or a last group cut short, 4-6-5 and 4-6-4. */
const CARD_GROUPING = /^(?:4,4,4,[1-4]|4,4,4,4,[1-3]|4,6,[45])$/;

/**
 * Finds card numbers: 13 to 19 digits, up to three spaces or dashes between two, with a right check digit.
 * A number that is part of more digits, of a word, a decimal, an international phone number, an address or a UUID is none.
 */
export const detectCardNumbers: Detector = (text) => {
  if (!mayHoldCard(text)) return NO_SPANS;
  let spans: Span[] | undefined;
  for (let at = 0; at < text.length;) {
    if (!isAt(text, at, DIGIT)) {
      at++;
      continue;
    }
    const chain = groupsFrom(text, at);
    for (const { start, end } of cardsAmong(text, chain)) {
      (spans ??= []).push({ start, end, label: CARD_NUMBER_LABEL });
    }
    at = (chain.at(-1) as Group).end;
  }
  return spans ?? NO_SPANS;
};

/** Of the places that a card covers, four in a row begin at a multiple of ten, and one of the four is a digit. */
function mayHoldCard(text: string): boolean {
  for (let at = 0; at < text.length; at += SHORTEST_CARD - MOST_SEPARATORS) {
    for (let near = at; near <= at + MOST_SEPARATORS; near++) if (isAt(text, near, DIGIT)) return true;
  }
  return false;
}

function groupsFrom(text: string, from: number): Group[] {
  const groups: Group[] = [];
  for (let start = from; ;) {
    const end = endOfRun(text, start, DIGIT);
    groups.push({ start, end });
    start = end;
    while (start < end + MOST_SEPARATORS && SEPARATOR.test(text.charAt(start))) start++;
    if (start === end || !isAt(text, start, DIGIT)) return groups;
  }
}

function cardsAmong(text: string, chain: Group[]): Group[] {
  const whole = { start: (chain[0] as Group).start, end: (chain.at(-1) as Group).end };
  if (whole.end - whole.start < SHORTEST_CARD) return [];
  const groups = chain.slice(
    startsInsideSomething(text, whole.start) ? 1 : 0,
    endsInsideSomething(text, whole.end) ? -1 : undefined,
  );
  if (groups.length < chain.length) return cardsWithin(text, groups);
  if (isWholeCard(text, chain) && !isInsideUuid(text, whole)) return [whole];
  return chain.length === 1 ? [] : cardsWithin(text, chain);
}

function isWholeCard(text: string, groups: Group[]): boolean {
  const digits = digitsOf(text, groups);
  if (!passesLuhn(digits)) return false;
  return groups.length === 1 || hasCardGrouping(groups) || isCardOfIssuer(digits);
}

/** Cards beside other numbers: what stands in the groups of a card, begins as an issuer's does and checks out. */
function cardsWithin(text: string, groups: Group[]): Group[] {
  const cards: Group[] = [];
  for (let index = 0; index < groups.length;) {
    const length = [5, 4, 3, 1].find((count) => {
      const some = groups.slice(index, index + count);
      return some.length === count && (count === 1 || hasCardGrouping(some)) && isCardOfIssuer(digitsOf(text, some));
    });
    if (length !== undefined) {
      cards.push({ start: (groups[index] as Group).start, end: (groups[index + length - 1] as Group).end });
    }
    index += length ?? 1;
  }
  return cards;
}

function digitsOf(text: string, groups: Group[]): string {
  return groups.map(({ start, end }) => text.slice(start, end)).join('');
}

function hasCardGrouping(groups: Group[]): boolean {
  return CARD_GROUPING.test(groups.map(({ start, end }) => end - start).join());
}

function startsInsideSomething(text: string, start: number): boolean {
  const isFraction = text[start - 1] === '.' && isAt(text, start - 2, DIGIT);
  return isAt(text, start - 1, ALPHANUMERIC) || isFraction || text[start - 1] === '+';
}

function endsInsideSomething(text: string, end: number): boolean {
  const hasFraction = text[end] === '.' && isAt(text, end + 1, DIGIT);
  return isAt(text, end, ALPHANUMERIC) || hasFraction || text[end] === '@';
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const UUID_LENGTH = 36;

function isInsideUuid(text: string, { start, end }: Group): boolean {
  return UUID.test(text.slice(Math.max(0, end - UUID_LENGTH), start + UUID_LENGTH));
}
