import type { StreamRecord } from '#broker/stream-record.js';
import { AGENT_EVENT_NOTIFY_METHOD } from '#contracts/methods.js';

/** An event as it goes to every client that wants it. */
export interface EventFrame {
  seq: number;
  subject: string;
  bytes: Buffer;
}

const BEGIN = `\ndata: {"jsonrpc":"2.0","method":"${AGENT_EVENT_NOTIFY_METHOD}","params":`;
const END = Buffer.from('}\n\n');
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;

/** The event's JSON goes on as it came. */
export function eventFrame({ seq, subject, data }: StreamRecord): EventFrame {
  return { seq, subject, bytes: Buffer.concat([Buffer.from(`id: ${seq}${BEGIN}`), oneLine(data), END]) };
}

/** Tells that what came before `firstSeq` is not there any more. */
export function resyncFrame(firstSeq: number): Buffer {
  return Buffer.from(`event: resync\ndata: {"first_id":${firstSeq}}\n\n`);
}

/** Says how soon to come back after a break, and opens the stream for intermediaries that wait for a first byte. */
export const OPENING_FRAME = Buffer.from('retry: 1000\n\n');

/** A comment, so that nobody on the way takes the connection for dead. */
export const HEARTBEAT_FRAME = Buffer.from(': heartbeat\n\n');

/** In JSON a line break can only stand between tokens; here it would end the field. */
function oneLine(json: Uint8Array): Uint8Array {
  if (!json.includes(LINE_FEED) && !json.includes(CARRIAGE_RETURN)) return json;
  return json.map((byte) => (byte === LINE_FEED || byte === CARRIAGE_RETURN ? BLANK : byte));
}
