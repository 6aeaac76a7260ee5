import fc from 'fast-check';
import { mapJsonStrings } from './map-json-strings.js';

const shout = (text: string) => text.toUpperCase();

describe('Mapping the strings of a JSON value', () => {
  it('maps strings and leaves keys, numbers, booleans and null', () => {
    expect(mapJsonStrings({ a: ['b', { c: 'd' }], e: 1, f: null, g: true }, shout)).toEqual({
      a: ['B', { c: 'D' }],
      e: 1,
      f: null,
      g: true,
    });
    expect(mapJsonStrings('a', shout)).toBe('A');
    expect(mapJsonStrings(null, shout)).toBeNull();
  });

  it('tells the key of a member, and none for an item', () => {
    const seen: [string, string | undefined][] = [];
    mapJsonStrings({ a: 'x', b: ['y'] }, (text, key) => {
      seen.push([text, key]);
      return text;
    });
    expect(seen).toEqual([
      ['x', 'a'],
      ['y', undefined],
    ]);
  });

  it('keeps a key named __proto__ as data', () => {
    const given = JSON.parse('{"__proto__":{"polluted":"a"},"b":"c"}') as object;
    const mapped = mapJsonStrings(given, shout) as object;
    expect(JSON.stringify(mapped)).toBe('{"__proto__":{"polluted":"A"},"b":"C"}');
    expect(Object.getPrototypeOf(mapped)).toBe(Object.prototype);
    expect(mapped).not.toHaveProperty('polluted');
  });

  it.each([
    ['arrays', '[', ']', 131_071],
    ['objects', '{"a":', '}', 43_690],
  ])('reaches through %s nested as deeply as 256 KiB allow', (_what, open, close, depth) => {
    const given = JSON.parse(`${open.repeat(depth)}"x"${close.repeat(depth)}`) as unknown;
    let inner = mapJsonStrings(given, shout);
    while (typeof inner === 'object' && inner !== null) inner = Object.values(inner)[0];
    expect(inner).toBe('X');
  });

  it('keeps the order of members and everything else', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const mapped = mapJsonStrings(value, (text) => `${text}!`);
        const expected = JSON.stringify(value, (_key, item: unknown) => (typeof item === 'string' ? `${item}!` : item));
        expect(JSON.stringify(mapped)).toBe(expected);
      }),
    );
  });
});
