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
  return isStorableJson(value) ? value : repaired(value);
}

function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorableJson);
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorableJson(item));
}

function repaired(value: unknown): unknown {
  if (typeof value === 'string') return toStorable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(repaired);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [toStorable(key), repaired(item)]));
}

/** True when arrays and objects nest at most `limit` deep; a scalar is one level. */
export function nestsWithin(value: unknown, limit: number): boolean {
  if (limit === 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  for (const item of Object.values(value)) {
    if (!nestsWithin(item, limit - 1)) return false;
  }
  return true;
}

/** Bytes of the text in UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/** Unicode characters (code points) of the text; a lone surrogate counts as one. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}
