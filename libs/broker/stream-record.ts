import type { Msg } from '@nats-io/nats-core';

/** A message as it stands in a stream. */
export interface StreamRecord {
  /** Sequence in the stream. */
  seq: number;
  subject: string;
  /** The header `Nats-Msg-Id`, if its sender set one. */
  msgId?: string;
  data: Uint8Array;
  /** When the server stored it, epoch milliseconds of the server's clock. */
  receivedAtMs: number;
}

export interface Delivery {
  record: StreamRecord;
  /** Counts what the consumer delivered, from 1 without a gap. */
  deliverySeq: number;
}

const NS_PER_MS = 1_000_000;

/**
 * A message that a consumer delivered.
 * The reply subject tells where it stands: `$JS.ACK.<stream>.<consumer>.<deliveries>.<seq>.<delivery seq>.<ns>.<pending>`,
 * in newer servers with domain and account after `ACK` and a token at the end.
 */
export function parseDelivery(message: Msg): Delivery {
  const tokens = message.reply!.split('.');
  const first = tokens.length === 9 ? 5 : 7;
  const record: StreamRecord = {
    seq: Number(tokens[first]),
    subject: message.subject,
    data: message.data,
    receivedAtMs: Math.floor(Number(tokens[first + 2]) / NS_PER_MS),
  };
  const msgId = message.headers?.get('Nats-Msg-Id');
  if (msgId) record.msgId = msgId;
  return { record, deliverySeq: Number(tokens[first + 1]) };
}
