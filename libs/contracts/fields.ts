import * as z from 'zod';
import { MAX_ID_BYTES, MAX_JSON_DEPTH, type PageLimit } from './limits.js';
import { isStorable, nestsWithin, toStorable, toStorableJson, utf8Length } from './text.js';

const LONGEST_UTF8_PER_UNIT = 3;

function isId(text: string): boolean {
  if (text.length === 0 || text.length > MAX_ID_BYTES || !isStorable(text)) return false;
  return text.length * LONGEST_UTF8_PER_UNIT <= MAX_ID_BYTES || utf8Length(text) <= MAX_ID_BYTES;
}

/** An id given by somebody else: 1–256 bytes of well-formed UTF-8 without U+0000. */
export const Id = z
  .string()
  .refine(isId, { error: `must be 1–${MAX_ID_BYTES} bytes of well-formed UTF-8 without U+0000` })
  .meta({ description: `1–${MAX_ID_BYTES} bytes of UTF-8`, minLength: 1, maxLength: MAX_ID_BYTES });
export type Id = z.infer<typeof Id>;

/** Any text; U+0000 and lone surrogates become U+FFFD. */
export const Text = z.string().overwrite(toStorable);
export type Text = z.infer<typeof Text>;

/** A UUID in hyphenated form, in any case on input and in lower case afterwards; the nil UUID is one. */
export const Uuid = z
  .string()
  .regex(/^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/, { error: 'must be a UUID' })
  .toLowerCase()
  .meta({ format: 'uuid' });
export type Uuid = z.infer<typeof Uuid>;

/** An integer from 0 to 2^53−1. */
export const Count = z.int().min(0);
export type Count = z.infer<typeof Count>;

/** A time: milliseconds since 1970-01-01 UTC, an integer from 0 to 2^53−1. */
export const EpochMs = z.int().min(0).meta({ description: 'epoch milliseconds' });
export type EpochMs = z.infer<typeof EpochMs>;

/** A JSON value of a shape that the contract leaves open; `null` is a value, and required means present. */
export const JsonValue = z
  .unknown()
  .refine((value): boolean => value !== undefined, { error: 'is required', abort: true })
  .refine((value) => nestsWithin(value, MAX_JSON_DEPTH), {
    error: `must not nest deeper than ${MAX_JSON_DEPTH}`,
    abort: true,
  })
  .overwrite(toStorableJson);
export type JsonValue = z.infer<typeof JsonValue>;

/** A JSON object with keys that the contract leaves open; every key is kept, `__proto__` too. */
export const JsonObject = JsonValue.refine(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  { error: 'must be an object' },
).meta({ type: 'object' }) as unknown as z.ZodType<Record<string, unknown>>;
export type JsonObject = z.infer<typeof JsonObject>;

/** Attachments as the channel gave them, each any JSON value; an empty list is the same as none. */
export const Attachments = z
  .array(JsonValue)
  .overwrite((list) => (list.length === 0 ? (undefined as unknown as typeof list) : list));
export type Attachments = z.infer<typeof Attachments>;

/** How many rows a list may give: from 1 to the page's maximum. */
export function limitField(page: PageLimit) {
  return z.int().min(1).max(page.maximum);
}
