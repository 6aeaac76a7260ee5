import { DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';

import type { SampleMessage, SampleScope } from '../workload.js';

/** The part of a stream that one round has written: after `after`, up to and with `last`. */
export interface StreamRange {
  stream: string;
  after: number;
  last: number;
}

/** What the turn stream holds, as far as it is looked at here. */
export type TurnRecord =
  | { kind: 'turn'; scope: SampleScope; cause: 'inbound' | 'resume'; inbounds: SampleMessage['inbound'][] }
  | { kind: 'hold'; scope: SampleScope };

/** What the event stream holds, as far as it is looked at here. */
export type EventRecord =
  | { kind: 'pending_inbounds_dropped'; scope: SampleScope; dropped: number; message_ids: string[] }
  | { kind: 'transcript_appended'; sender_id: string; message_id: string }
  | { kind: 'processing_state_changed' };

/** Sequence of the newest message; 0 in an empty stream. */
export async function lastSequence(nc: NatsConnection, stream: string): Promise<number> {
  const { streams } = await jetstreamManager(nc);
  return (await streams.info(stream)).state.last_seq;
}

/** When the stream stored the last message of the range, epoch milliseconds; undefined when the range is empty. */
export async function lastStoredAtMs(nc: NatsConnection, range: StreamRange): Promise<number | undefined> {
  if (range.last <= range.after) return undefined;
  const { streams } = await jetstreamManager(nc);
  return (await streams.getMessage(range.stream, { seq: range.last }))?.time.getTime();
}

/** Every message of the range, in order. */
export async function readRange<Content>(nc: NatsConnection, range: StreamRange): Promise<Content[]> {
  const contents: Content[] = [];
  if (range.last <= range.after) return contents;
  const consumer = await jetstream(nc).consumers.get(range.stream, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: range.after + 1,
  });
  for await (const message of await consumer.consume({ max_messages: 4_000 })) {
    contents.push(message.json<Content>());
    if (message.seq >= range.last) break;
  }
  return contents;
}
