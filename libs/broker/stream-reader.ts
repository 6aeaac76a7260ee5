import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';

export interface StreamState {
  /** When the stream was created, RFC 3339: another value is another stream of the same name. */
  created: string;
  /** Sequence of the oldest message; of an emptied stream the next one to be written, of a new one 0. */
  firstSeq: number;
  /** Sequence of the newest message ever written; 0 in a new stream. Purging does not lower it. */
  lastSeq: number;
  /** What it holds, of at most `maxBytes`; -1 is no limit. */
  bytes: number;
  maxBytes: number;
}

/**
 * The last message on the subject, as the stream's leader has it, so that a write acknowledged before is seen.
 * Undefined if the subject is empty.
 * @throws StreamNotFoundError, JetStreamNotEnabled, TimeoutError, or another error of the client
 */
export async function lastOnSubject(
  nc: NatsConnection,
  stream: string,
  subject: string,
): Promise<{ seq: number; msgId?: string } | undefined> {
  const message = await (await manager(nc)).streams.getMessage(stream, { last_by_subj: subject });
  if (!message) return undefined;
  const msgId = message.header?.get('Nats-Msg-Id');
  return { seq: message.seq, ...(msgId && { msgId }) };
}

/** @throws StreamNotFoundError, JetStreamNotEnabled, TimeoutError, or another error of the client */
export async function streamState(nc: NatsConnection, stream: string): Promise<StreamState> {
  const { created, config, state } = await (await manager(nc)).streams.info(stream);
  const { first_seq, last_seq, bytes } = state;
  return { created, firstSeq: first_seq, lastSeq: last_seq, bytes, maxBytes: config.max_bytes };
}

/** Removes all messages up to and including `seq`; with a filter only those whose subject it matches. */
export async function purgeThrough(nc: NatsConnection, stream: string, seq: number, filter?: string): Promise<void> {
  await (await manager(nc)).streams.purge(stream, { seq: seq + 1, ...(filter !== undefined && { filter }) });
}

/**
 * The `Nats-Msg-Id`s of the messages on the subject (wildcards allowed) that the stream stored at `sinceMs` (epoch)
 * or later.
 */
export async function publishedMessageIds(
  nc: NatsConnection,
  stream: string,
  subject: string,
  sinceMs: number,
): Promise<Set<string>> {
  const ids = new Set<string>();
  const consumer = await jetstream(nc).consumers.get(stream, {
    filter_subjects: subject,
    opt_start_time: new Date(sinceMs).toISOString(),
    headers_only: true,
    inactive_threshold: 30_000,
  });
  try {
    let pending = (await consumer.info(true)).num_pending;
    if (pending === 0) return ids;
    for await (const message of await consumer.consume({ max_messages: 1_000 })) {
      const id = message.headers?.get('Nats-Msg-Id');
      if (id) ids.add(id);
      pending = message.info.pending;
      if (pending === 0) break;
    }
    return ids;
  } finally {
    await consumer.delete();
  }
}

function manager(nc: NatsConnection): Promise<JetStreamManager> {
  return jetstreamManager(nc, { checkAPI: false });
}
