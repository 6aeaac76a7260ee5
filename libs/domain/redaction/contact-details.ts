import { ALPHANUMERIC, characterClass, DIGIT, endOfRun, isAt } from './characters.js';
import { type Detector, NO_SPANS, type Span } from './span.js';

export const EMAIL_LABEL = 'email';
export const PHONE_LABEL = 'phone';

const LOCAL_PART = characterClass(/[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]/);
const DOMAIN = characterClass(/[A-Za-z0-9.-]/);
const LONGEST_DOMAIN = 253;
const DOMAIN_NAME = /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,63}/;

/** Finds e-mail addresses with a domain of at least two parts. */
export const detectEmails: Detector = (text) => {
  let spans: Span[] | undefined;
  let free = 0;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const start = startOfLocalPart(text, at, free);
    const limit = Math.min(text.length, at + 1 + LONGEST_DOMAIN);
    const domain = DOMAIN_NAME.exec(text.slice(at + 1, endOfRun(text, at + 1, DOMAIN, limit)));
    if (start === at || domain === null) continue;
    free = at + 1 + domain[0].length;
    (spans ??= []).push({ start, end: free, label: EMAIL_LABEL });
  }
  return spans ?? NO_SPANS;
};

function startOfLocalPart(text: string, at: number, limit: number): number {
  let start = at;
  while (start > limit && isAt(text, start - 1, LOCAL_PART)) start--;
  while (start < at && !isAt(text, start, ALPHANUMERIC)) start++;
  return start;
}

/** `+` or `00` and 7 to 15 digits; a trunk `0` and 8 to 12; or ten digits grouped 3-3-4. */
const PHONE_FORM =
  /(?:\+|(?<!\d)00)\d(?:[ ./()-]{0,2}\d){6,14}(?!\d)|(?<![\d.,/-])0\d(?:[ /-]?\d){7,11}(?![\d.,/-]?\d)|(?<![\d.-])(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\d-])/g;

/** Finds telephone numbers, international ones and the usual ways to write national ones. */
export const detectPhoneNumbers: Detector = (text) => {
  let spans: Span[] | undefined;
  PHONE_FORM.lastIndex = 0;
  for (let match = PHONE_FORM.exec(text); match; match = PHONE_FORM.exec(text)) {
    const isInsideWord = isAt(text, match.index - 1, ALPHANUMERIC) && isAt(text, match.index, DIGIT);
    if (!isInsideWord) (spans ??= []).push({ start: match.index, end: PHONE_FORM.lastIndex, label: PHONE_LABEL });
  }
  return spans ?? NO_SPANS;
};
