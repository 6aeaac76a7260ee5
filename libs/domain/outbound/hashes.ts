import { createHash } from 'node:crypto';

/** Where a message goes, and what it says. */
export interface OutboundText {
  channel: string;
  accountId: string;
  recipient: string;
  body: string;
}

/** SHA-256 by which an echo is recognised as a message of ours; blanks around the text and its Unicode form do not count. */
export function outboundTextSha256({ channel, accountId, recipient, body }: OutboundText): Buffer {
  return sha256(JSON.stringify([channel, accountId, recipient, body.normalize('NFC').trim()]));
}

/** SHA-256 of a JSON value; the order of keys does not count. */
export function contentSha256(value: unknown): Buffer {
  return sha256(JSON.stringify(value, sortedKeys));
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
