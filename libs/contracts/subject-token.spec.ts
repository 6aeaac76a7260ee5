import fc from 'fast-check';
import { decodeToken, encodeToken } from './subject-token.js';

const wellFormed = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed());
const withSpecials = fc
  .array(fc.oneof(fc.constantFrom('.', '*', '>', '%', ' ', '\t', '\0', '\x7f', 'é', '🙂', '\u3000'), wellFormed))
  .map((parts) => parts.join(''));

describe('encodeToken', () => {
  test.each([
    ['5511999990000@s.whatsapp.net', '5511999990000@s%2Ewhatsapp%2Enet'],
    ['a*b>c%d', 'a%2Ab%3Ec%25d'],
    ['a b\tc\n', 'a%20b%09c%0A'],
    ['josé', 'jos%C3%A9'],
    ['🙂', '%F0%9F%99%82'],
    ['\u0000\u007f', '%00%7F'],
    ['55-1234_~!$()+,:;=@/', '55-1234_~!$()+,:;=@/'],
  ])('encodes %j as %j', (id, token) => {
    expect(encodeToken(id)).toBe(token);
  });

  test('never gives a character that a subject token may not hold', () => {
    fc.assert(
      fc.property(withSpecials, (id) => {
        expect(encodeToken(id)).toMatch(/^(?:%[0-9A-F]{2}|[!-$&-)+-\-/-=?-~])*$/);
      }),
    );
  });

  test('is undone by decodeToken', () => {
    fc.assert(
      fc.property(withSpecials, (id) => {
        expect(decodeToken(encodeToken(id))).toBe(id);
      }),
    );
  });

  test('gives different ids different tokens', () => {
    fc.assert(
      fc.property(withSpecials, withSpecials, (one, other) => {
        expect(encodeToken(one) === encodeToken(other)).toBe(one === other);
      }),
    );
  });

  test('encodes a lone surrogate as U+FFFD instead of failing', () => {
    expect(encodeToken('a\uD83D')).toBe('a%EF%BF%BD');
  });
});

test('decodeToken gives nothing for what is no percent-encoding', () => {
  expect(decodeToken('100%')).toBeUndefined();
  expect(decodeToken('%C3')).toBeUndefined();
});
