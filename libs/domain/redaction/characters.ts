/** Which of the first 128 characters a class holds. */
export type CharacterClass = Uint8Array;

const NONE = 0;

/** The class of the characters that the pattern matches one at a time. */
export function characterClass(pattern: RegExp): CharacterClass {
  return Uint8Array.from({ length: 128 }, (_nothing, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));
}

export const ALPHANUMERIC = characterClass(/[A-Za-z0-9]/);
export const DIGIT = characterClass(/[0-9]/);
export const BASE64 = characterClass(/[A-Za-z0-9+/]/);
export const BASE64_URL = characterClass(/[A-Za-z0-9_-]/);

/** Whether the character at `at` is of the class; a place outside the text is of none. */
export function isAt(text: string, at: number, kind: CharacterClass): boolean {
  return (kind[text.charCodeAt(at)] ?? NONE) !== NONE;
}

/** Where the run of characters of the class that begins at `from` ends, at the latest at `limit`. */
export function endOfRun(text: string, from: number, kind: CharacterClass, limit = text.length): number {
  let end = from;
  while (end < limit && isAt(text, end, kind)) end++;
  return end;
}

const ESCAPE_BEFORE = /(?:\\[nrt]|%[0-9A-Fa-f]{2})$/;

/** Whether a word may begin here: after no letter or digit, unless these belong to an escape (`\n`, `%3D`). */
export function startsWord(text: string, at: number): boolean {
  return !isAt(text, at - 1, ALPHANUMERIC) || ESCAPE_BEFORE.test(text.slice(Math.max(0, at - 3), at));
}
