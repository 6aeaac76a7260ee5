const NEEDS_ENCODING = /[^!-~]|[.*>%]/;
const EACH_TO_ENCODE = /[^!-~]|[.*>%]/gu;

/**
 * One token of a subject, built from an id: `.` `*` `>` `%`, white space, control and non-ASCII characters are
 * percent-encoded as UTF-8 with upper-case hex. A lone surrogate is encoded as U+FFFD.
 */
export function encodeToken(id: string): string {
  return NEEDS_ENCODING.test(id) ? id.toWellFormed().replace(EACH_TO_ENCODE, encodeCharacter) : id;
}

/** The id that a token was built from, or undefined when the token is not valid percent-encoding. */
export function decodeToken(token: string): string | undefined {
  if (!token.includes('%')) return token;
  try {
    return decodeURIComponent(token);
  } catch {
    return undefined;
  }
}

function encodeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code > 0x7f) return encodeURIComponent(character);
  return `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
}
