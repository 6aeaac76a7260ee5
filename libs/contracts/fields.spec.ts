import * as fields from './fields.js';

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('Id', () => {
  test.each([
    ['one byte', 'a', true],
    ['256 bytes', 'a'.repeat(256), true],
    ['257 bytes', 'a'.repeat(257), false],
    ['256 bytes in 128 characters', 'é'.repeat(128), true],
    ['257 bytes in 129 characters', `${'é'.repeat(128)}a`, false],
    ['256 bytes of emoji', '🙂'.repeat(64), true],
    ['260 bytes of emoji', '🙂'.repeat(65), false],
    ['the empty text', '', false],
    ['a lone surrogate', 'a\uD83D', false],
    ['U+0000', 'a\0', false],
    ['a number', 5, false],
    ['dots and stars', 'a.*.>', true],
  ])('%s', (_, id, accepted) => {
    expect(accepts(fields.Id, id)).toBe(accepted);
  });
});

describe('Uuid', () => {
  test('is read in any case and written in lower case', () => {
    expect(fields.Uuid.parse('018F4E2A-0000-7ABC-8DEF-0123456789AB')).toBe('018f4e2a-0000-7abc-8def-0123456789ab');
  });

  test('may be nil', () => {
    expect(accepts(fields.Uuid, '00000000-0000-0000-0000-000000000000')).toBe(true);
  });

  test.each(['7', '', '018f4e2a00007abc8def0123456789ab', '018f4e2a-0000-7abc-8def-0123456789ab\n', 7])(
    'is not %j',
    (value) => {
      expect(accepts(fields.Uuid, value)).toBe(false);
    },
  );
});

describe('EpochMs', () => {
  test.each([
    [0, true],
    [Number.MAX_SAFE_INTEGER, true],
    [-1, false],
    [Number.MAX_SAFE_INTEGER + 1, false],
    [1.5, false],
    [Number.NaN, false],
    ['1700000000000', false],
  ])('%p', (value, accepted) => {
    expect(accepts(fields.EpochMs, value)).toBe(accepted);
  });
});

describe('Text', () => {
  test('has U+FFFD for U+0000 and lone surrogates', () => {
    expect(fields.Text.parse('a\0\uD83D🙂')).toBe('a\uFFFD\uFFFD🙂');
  });
});

describe('JsonValue', () => {
  test.each([null, false, 0, '', [], {}])('%j is a value', (value) => {
    expect(fields.JsonValue.parse(value)).toStrictEqual(value);
  });

  test('undefined is none', () => {
    expect(accepts(fields.JsonValue, undefined)).toBe(false);
  });

  test('nests at most 128 deep', () => {
    const nested = (depth: number): unknown => (depth === 1 ? 1 : [nested(depth - 1)]);
    expect(accepts(fields.JsonValue, nested(128))).toBe(true);
    expect(accepts(fields.JsonValue, nested(129))).toBe(false);
    const hostile = JSON.parse(`${'['.repeat(60_000)}${']'.repeat(60_000)}`) as unknown;
    expect(accepts(fields.JsonValue, hostile)).toBe(false);
  });
});

describe('JsonObject', () => {
  test('keeps every key, __proto__ too', () => {
    const json = '{"__proto__":{"admin":true},"a":{"__proto__":1},"constructor":2}';
    const parsed = fields.JsonObject.parse(JSON.parse(json));
    expect(JSON.stringify(parsed)).toBe(json);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect((parsed as { admin?: unknown }).admin).toBeUndefined();
  });

  test.each([null, [], 'a', 1, undefined])('%j is none', (value) => {
    expect(accepts(fields.JsonObject, value)).toBe(false);
  });
});

test('limitField takes 1 to the maximum', () => {
  const limit = fields.limitField({ fallback: 5, maximum: 10 });
  expect([0, 1, 10, 11, 2.5].map((value) => accepts(limit, value))).toStrictEqual([false, true, true, false, false]);
});
