import { MsgHdrsImpl } from '@nats-io/nats-core/internal';
import type { StreamMessage } from './stream-publisher.js';

const ILLEGAL_NAME = /[^!-9;-~]/;
const ILLEGAL_VALUE = /[\r\n]/;

/** Headers that are written once, as bytes: building the client's map a message costs more than publishing it. */
class WrittenHeaders extends MsgHdrsImpl {
  private readonly bytes: Uint8Array;

  constructor(lines: string) {
    super();
    this.bytes = Buffer.from(`NATS/1.0\r\n${lines}\r\n`);
  }

  override encode(): Uint8Array {
    return this.bytes;
  }
}

/**
 * The headers of a message, or undefined if it has none.
 * @throws TypeError for a header that would break the protocol
 */
export function publishHeaders(message: StreamMessage): WrittenHeaders | undefined {
  let lines = '';
  if (message.msgId !== undefined) lines += line('Nats-Msg-Id', message.msgId);
  if (message.expectedLastSubjectSequence !== undefined) {
    lines += line('Nats-Expected-Last-Subject-Sequence', String(message.expectedLastSubjectSequence));
  }
  for (const name in message.headers) lines += line(name, message.headers[name]!);
  return lines === '' ? undefined : new WrittenHeaders(lines);
}

function line(name: string, value: string): string {
  if (name === '' || ILLEGAL_NAME.test(name)) throw new TypeError(`"${name}" is not a header name`);
  if (ILLEGAL_VALUE.test(value)) throw new TypeError(`the value of header ${name} holds a line break`);
  return `${name}: ${value}\r\n`;
}
