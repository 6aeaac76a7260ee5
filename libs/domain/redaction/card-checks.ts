export const SHORTEST_CARD = 13;
const LONGEST_CARD = 19;

const ZERO = 0x30;

/** Whether the last of the 13 to 19 digits is the check digit of those before it (Luhn's formula). */
export function passesLuhn(digits: string): boolean {
  if (digits.length < SHORTEST_CARD || digits.length > LONGEST_CARD) return false;
  let sum = 0;
  for (let fromRight = 0; fromRight < digits.length; fromRight++) {
    const digit = digits.charCodeAt(digits.length - 1 - fromRight) - ZERO;
    const weighed = fromRight % 2 === 1 ? digit * 2 : digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}

/** Prefixes that issuers use, with the lengths that follow. */
const ISSUERS: readonly [prefix: RegExp, lengths: readonly number[]][] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|220[0-4])/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|095|[689])/, [14, 16, 19]],
  [/^(?:6011|64[4-9]|65|35(?:2[89]|[3-8])|62|81|50|5[6-9]|6[0-9])/, [16, 17, 18, 19]],
];

/** Whether the digits begin as a card does, are as many as its issuer uses, and check out. */
export function isCardOfIssuer(digits: string): boolean {
  const isIssued = ISSUERS.some(([prefix, lengths]) => prefix.test(digits) && lengths.includes(digits.length));
  return isIssued && passesLuhn(digits);
}
