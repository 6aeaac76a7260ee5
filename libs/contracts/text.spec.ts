import fc from 'fast-check';
import { countCharacters, isStorable, nestsWithin, toStorable, toStorableJson, utf8Length } from './text.js';

const anyUnits = fc.string({ unit: 'binary' });
const brokenUnits = fc
  .array(fc.oneof(fc.constantFrom('\0', '\uD83D', '\uDE42'), anyUnits))
  .map((parts) => parts.join(''));

function deepStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...deepStrings(item)]);
}

describe('toStorable', () => {
  test('replaces U+0000 and lone surrogates by U+FFFD and keeps emoji', () => {
    expect(toStorable('a\0b\uD83Dc\uDE42d🙂')).toBe('a\uFFFDb\uFFFDc\uFFFDd🙂');
  });

  test('makes any text storable and leaves its number of characters as it was', () => {
    fc.assert(
      fc.property(brokenUnits, (text) => {
        const stored = toStorable(text);
        expect(isStorable(stored)).toBe(true);
        expect(countCharacters(stored)).toBe(countCharacters(text));
      }),
    );
  });
});

describe('toStorableJson', () => {
  test('gives the same value back when nothing has to change', () => {
    const value = { a: ['x', { b: 1, c: null }] };
    expect(toStorableJson(value)).toBe(value);
  });

  test('repairs strings and keys at any depth', () => {
    expect(toStorableJson({ 'k\0': ['\uD83D', { a: 'b\0' }] })).toStrictEqual({
      'k\uFFFD': ['\uFFFD', { a: 'b\uFFFD' }],
    });
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), brokenUnits, (json, text) => {
        expect(deepStrings(toStorableJson([json, { [text]: text }])).every(isStorable)).toBe(true);
      }),
    );
  });

  test('keeps a key named __proto__ as a key', () => {
    const repaired = toStorableJson(JSON.parse('{"__proto__":{"admin":"\\u0000"}}'));
    expect(Object.getPrototypeOf(repaired)).toBe(Object.prototype);
    expect(JSON.stringify(repaired)).toBe('{"__proto__":{"admin":"\uFFFD"}}');
  });
});

describe('sizes', () => {
  test('nestsWithin counts a scalar as one level', () => {
    expect(nestsWithin(1, 1)).toBe(true);
    expect(nestsWithin([1], 1)).toBe(false);
    expect(nestsWithin([[1]], 3)).toBe(true);
    expect(nestsWithin({ a: { b: {} } }, 2)).toBe(false);
  });

  test('characters are code points and bytes are UTF-8', () => {
    expect(countCharacters('a🙂é')).toBe(3);
    expect(utf8Length('a🙂é')).toBe(7);
  });
});
