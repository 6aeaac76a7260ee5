import type { NatsConnection } from '@nats-io/nats-core';

import type { PublishOutcome, StreamMessage, StreamPublisher } from '#broker/stream-publisher.js';
import { lastOnSubject, publishedMessageIds } from '#broker/stream-reader.js';
import { STREAMS } from '#contracts/subjects.js';
import type { OutboxRow } from '#store/queries/read-outbox.js';

import type { LastSequences } from './last-sequences.js';

/** A publish waits this long for its acknowledgements: less than a session may be idle inside a transaction. */
const ACK_TIMEOUT_MS = 1_500;
/** After this time no further round is begun, so that the transaction keeps its locks to the end. */
const ROUNDS_MS = 2_000;
/** Rows older than this may be outside the streams' duplicate window of 10 minutes: look whether they are there. */
const RECHECK_AFTER_MS = 8 * 60_000;

export interface PublishContext {
  nc: NatsConnection;
  publisher: StreamPublisher;
  sequences: LastSequences;
  /** Throws if the locks on the rows were lost. */
  stillLocked: () => Promise<void>;
  now: () => number;
}

export interface PublishResult {
  published: OutboxRow[];
  /** The broker will never take these. */
  unpublishable: { row: OutboxRow; reason: string }[];
  /** Why the others are left for later; undefined if none is. */
  failure: string | undefined;
}

/**
 * Publishes locked rows of the outbox; those of one key come in their order. Turns and holds of one conversation go
 * one after the other, each fenced by the sequence of the one before: what a stopped process had in hand is refused
 * once another has published to the subject.
 */
export async function publishOutbox(context: PublishContext, rows: OutboxRow[]): Promise<PublishResult> {
  const result: PublishResult = { published: [], unpublishable: [], failure: undefined };
  const waiting = await withoutPublished(context, rows, result);
  const fenced = new Map<string, OutboxRow[]>();
  const free: OutboxRow[] = [];
  for (const row of waiting) {
    if (row.kind === 'turn' || row.kind === 'hold') {
      const queue = fenced.get(row.subject);
      if (queue === undefined) fenced.set(row.subject, [row]);
      else queue.push(row);
    } else free.push(row);
  }
  const unknown = [...fenced.keys()].filter((subject) => context.sequences.get(subject) === undefined);
  if (unknown.length > 0) await learnSequences(context, unknown);

  const startedAt = context.now();
  const refreshed = new Set<string>();
  let round = free;
  do {
    const heads = [...fenced.values()].map((queue) => queue[0] as OutboxRow);
    const sent = [...round, ...heads];
    round = [];
    const outcomes = await context.publisher.publish(
      sent.map((row) => streamMessage(row, context.sequences)),
      { timeoutMs: ACK_TIMEOUT_MS },
    );
    const outdated: string[] = [];
    sent.forEach((row, index) => {
      const outcome = outcomes[index] as PublishOutcome;
      const isFenced = row.kind === 'turn' || row.kind === 'hold';
      if (outcome.ok) {
        result.published.push(row);
        if (isFenced) context.sequences.acknowledged(row.subject, outcome.seq);
      } else if (outcome.reason === 'too_large') {
        result.unpublishable.push({ row, reason: outcome.detail });
      } else if (outcome.reason === 'wrong_last_sequence' && !refreshed.has(row.subject)) {
        outdated.push(row.subject);
        refreshed.add(row.subject);
        return;
      } else {
        result.failure ??= `${outcome.reason}: ${outcome.detail}`;
        fenced.delete(row.subject);
        return;
      }
      if (isFenced) shift(fenced, row.subject);
    });
    if (outdated.length > 0) {
      const last = await learnSequences(context, outdated);
      for (const subject of outdated) {
        const head = fenced.get(subject)?.[0];
        if (head !== undefined && last.get(subject) === head.msgId) {
          result.published.push(head);
          shift(fenced, subject);
        }
      }
    }
  } while (fenced.size > 0 && context.now() - startedAt < ROUNDS_MS);
  if (fenced.size > 0) result.failure ??= 'more turns wait than one round trip each allows';
  return result;
}

function shift(fenced: Map<string, OutboxRow[]>, subject: string): void {
  const queue = fenced.get(subject);
  queue?.shift();
  if (queue?.length === 0) fenced.delete(subject);
}

function streamMessage(row: OutboxRow, sequences: LastSequences): StreamMessage {
  const message: StreamMessage = {
    subject: row.subject,
    payload: row.payload ?? row.raw ?? '',
    msgId: row.msgId,
  };
  if (row.headers !== null) message.headers = row.headers;
  if (row.kind === 'turn' || row.kind === 'hold') {
    message.expectedLastSubjectSequence = sequences.get(row.subject) ?? 0;
  }
  return message;
}

/**
 * Asks the stream for the last message of each subject. The locks are confirmed afterwards: whoever changed the
 * subject since then must have had them, so a publish that expects what was read here cannot come too late.
 * @returns the message id of the last message of each subject
 */
async function learnSequences(context: PublishContext, subjects: string[]): Promise<Map<string, string | undefined>> {
  const ids = new Map<string, string | undefined>();
  await Promise.all(
    subjects.map(async (subject) => {
      const last = await lastOnSubject(context.nc, STREAMS.turns, subject);
      context.sequences.set(subject, last?.seq ?? 0);
      ids.set(subject, last?.msgId);
    }),
  );
  await context.stillLocked();
  return ids;
}

/** Sorts out old rows whose message reached the stream before a crash kept them from being deleted. */
async function withoutPublished(
  context: PublishContext,
  rows: OutboxRow[],
  result: PublishResult,
): Promise<OutboxRow[]> {
  const old = rows.filter((row) => context.now() - row.createdAtMs > RECHECK_AFTER_MS);
  if (old.length === 0) return rows;
  const found = new Set<string>();
  for (const subject of new Set(old.map((row) => row.subject))) {
    const since = Math.min(...old.filter((row) => row.subject === subject).map((row) => row.createdAtMs));
    const published = await publishedMessageIds(context.nc, streamOf(subject), subject, since);
    for (const id of published) found.add(id);
  }
  result.published.push(...old.filter((row) => found.has(row.msgId)));
  await context.stillLocked();
  return rows.filter((row) => !result.published.includes(row));
}

function streamOf(subject: string): string {
  if (subject.startsWith('nexo.turns.')) return STREAMS.turns;
  return subject.startsWith('nexo.quarantine.') ? STREAMS.quarantine : STREAMS.events;
}
