const REPLACEMENT = '\uFFFD';
const encoder = new TextEncoder();

/** True when Postgres and UTF-8 can hold the text as it is: no U+0000, no lone surrogate. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** The text with every U+0000 and lone surrogate replaced by U+FFFD; the same string when there is none. */
export function toStorable(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll('\0', REPLACEMENT);
}

/** The JSON value with {@link toStorable} applied to every string and key; the same value when nothing changes. */
export function toStorableJson(value: unknown): unknown {
  if (typeof value === 'string') return toStorable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(toStorableJson);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const before = Object.entries(value);
  const after = before.map(([key, item]) => [toStorable(key), toStorableJson(item)] as const);
  const same = after.every(([key, item], index) => key === before[index]?.[0] && item === before[index]?.[1]);
  return same ? value : Object.fromEntries(after);
}

/** True when arrays and objects nest at most `limit` deep; a scalar is one level. */
export function nestsWithin(value: unknown, limit: number): boolean {
  if (limit === 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((item) => nestsWithin(item, limit - 1));
}

/** Bytes of the text in UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/** Unicode characters (code points) of the text; a lone surrogate counts as one. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}
