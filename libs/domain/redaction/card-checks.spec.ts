import { isCardOfIssuer, passesLuhn } from './card-checks.js';

describe('The check digit of a card', () => {
  it.each(['4222222222222', '378282246310005', '4111111111111111', '4111111111111111110'])(
    'is the only one of ten that is right: %s',
    (digits) => {
      const right = Array.from({ length: 10 }, (_nothing, last) => digits.slice(0, -1) + String(last)).filter(
        passesLuhn,
      );
      expect(right).toEqual([digits]);
    },
  );

  it.each(['', '411111111117', '41111111111111111115'])('is not looked for in %j, which is no card', (digits) => {
    expect(passesLuhn(digits)).toBe(false);
  });
});

describe('An issuer', () => {
  it.each([
    ['4111111111111111', true],
    ['4222222222222', true],
    ['5555555555554444', true],
    ['2223003122003222', true],
    ['378282246310005', true],
    ['30569309025904', true],
    ['6011111111111117', true],
    ['3530111333300000', true],
    ['6200000000000005', true],
    ['411111111111116', false],
    ['1234567812345670', false],
    ['4111111111111112', false],
  ])('of %s: %s', (digits, isIssued) => {
    expect(isCardOfIssuer(digits)).toBe(isIssued);
  });
});
