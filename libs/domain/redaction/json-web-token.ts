import { BASE64_URL, endOfRun, startsWord } from './characters.js';
import { type Detector, NO_SPANS, type Span } from './span.js';

export const JSON_WEB_TOKEN_LABEL = 'jwt';

/** `{"` in base64url, with which a header and a set of claims begin. */
const OPENS_OBJECT = 'eyJ';
/** `{"alg":""}`, shorter than any real header. */
const SHORTEST_HEADER = 14;
const SHORTEST_CLAIMS = 2;
const PARTS_AFTER_HEADER = 4;

/** Finds signed, unsigned (`header.claims.`), cut (`header.claims`) and encrypted (five parts) tokens. */
export const detectJsonWebTokens: Detector = (text) => {
  let spans: Span[] | undefined;
  // The second and the third letter together are rarer in plain text than the first.
  for (let at = text.indexOf('yJ'); at !== -1;) {
    const start = at - 1;
    let next = at + 2;
    if (text.startsWith(OPENS_OBJECT, start) && startsWord(text, start)) {
      const headerEnd = endOfRun(text, start, BASE64_URL);
      const end = headerEnd - start < SHORTEST_HEADER ? undefined : endOfToken(text, headerEnd);
      if (end !== undefined) (spans ??= []).push({ start, end, label: JSON_WEB_TOKEN_LABEL });
      // What begins inside a refused header has the same other parts, and would be refused too.
      next = end ?? headerEnd;
    }
    at = text.indexOf('yJ', next);
  }
  return spans ?? NO_SPANS;
};

function endOfToken(text: string, headerEnd: number): number | undefined {
  const ends: number[] = [];
  for (let end = headerEnd; ends.length < PARTS_AFTER_HEADER && text[end] === '.';) {
    end = endOfRun(text, end + 1, BASE64_URL);
    ends.push(end);
  }
  const [claims, signature, ciphertext, tag] = ends;
  if (claims === undefined) return undefined;
  const isEncrypted =
    signature !== undefined &&
    ciphertext !== undefined &&
    tag !== undefined &&
    signature > claims + 1 &&
    ciphertext > signature + 1 &&
    tag > ciphertext + 1;
  if (isEncrypted) return tag;
  if (signature !== undefined && claims > headerEnd + SHORTEST_CLAIMS) return signature;
  return text.startsWith(OPENS_OBJECT, headerEnd + 1) ? claims : undefined;
}
