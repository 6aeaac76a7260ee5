import * as z from 'zod';

/**
 * A field that may be absent. `null` and `undefined` are read as absent, and the parsed object has no key for it.
 * Only within {@link message}, which drops the empty keys; the type states the result of that.
 */
export function optional<Field extends z.ZodType>(field: Field): z.ZodExactOptional<Field> {
  return z.optional(z.nullable(field)) as unknown as z.ZodExactOptional<Field>;
}

/** An object of the contract: unknown fields are ignored, absent optional fields have no key after parsing. */
export function message<Shape extends z.core.$ZodShape>(shape: Shape): z.ZodObject<z.core.util.Writeable<Shape>> {
  const optionalKeys = Object.keys(shape).filter((key) => shape[key]?._zod.optin !== undefined);
  const object = z.object(shape);
  if (optionalKeys.length === 0) return object;
  return object.overwrite((parsed) => {
    const fields = parsed as Record<string, unknown>;
    for (const key of optionalKeys) {
      if (fields[key] == null && key in fields) return withoutEmptyKeys(fields, optionalKeys) as typeof parsed;
    }
    return parsed;
  });
}

function withoutEmptyKeys(fields: Record<string, unknown>, optionalKeys: string[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) {
    if (fields[key] != null || !optionalKeys.includes(key)) kept[key] = fields[key];
  }
  return kept;
}
