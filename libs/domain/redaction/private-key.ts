import { characterClass, BASE64, endOfRun } from './characters.js';
import { type Detector, NO_SPANS, type Span } from './span.js';

export const PRIVATE_KEY_LABEL = 'private-key';

const BOUNDARY = /-{4,5} ?(BEGIN|END) [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g;

/** What a block may hold: base64, headers such as `Proc-Type: 4,ENCRYPTED`, escaped line ends and marks of quoting. */
const BLOCK = characterClass(/[A-Za-z0-9+/=\s:,\\>-]/);
const SHORTEST_KEY_LINE = 16;

/** Finds PEM and PGP blocks of private keys, and the key material of a block whose end is missing. */
export const detectPrivateKeys: Detector = (text) => {
  if (!text.includes('PRIVATE KEY')) return NO_SPANS;
  const boundaries = [...text.matchAll(BOUNDARY)];
  const spans: Span[] = [];
  for (const [index, boundary] of boundaries.entries()) {
    if (boundary[1] !== 'BEGIN') continue;
    const next = boundaries[index + 1];
    const bodyStart = boundary.index + boundary[0].length;
    const end =
      next?.[1] === 'END' ? next.index + next[0].length : endOfCutBlock(text, bodyStart, next?.index ?? text.length);
    if (end !== undefined) spans.push({ start: boundary.index, end, label: PRIVATE_KEY_LABEL });
  }
  return spans;
};

/** Where a block without an end has its last key material; undefined when it holds none. */
function endOfCutBlock(text: string, bodyStart: number, limit: number): number | undefined {
  const end = endOfRun(text, bodyStart, BLOCK, limit);
  for (let at = bodyStart; at < end; at++) {
    const lineEnd = endOfRun(text, at, BASE64, end);
    if (lineEnd - at >= SHORTEST_KEY_LINE) return end;
    at = lineEnd;
  }
  return undefined;
}
