import type { NatsConnection } from '@nats-io/nats-core';

import type { PublishOutcome, StreamMessage, StreamPublisher } from '#broker/stream-publisher.js';
import { lastOnSubject, publishedMessageIds } from '#broker/stream-reader.js';
import { STREAMS } from '#contracts/subjects.js';
import type { OutboxRow, StoredMessage } from '#store/queries/read-outbox.js';

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

/** A row with all the messages that it stands for. */
export interface PublishableRow {
  row: OutboxRow;
  messages: StoredMessage[];
}

export interface RefusedMessage {
  row: OutboxRow;
  message: StoredMessage;
  reason: string;
}

export interface PublishResult {
  published: OutboxRow[];
  /** The broker will never take these; at most one message of a row is named. */
  unpublishable: RefusedMessage[];
  /** Why the others are left for later; undefined if none is. */
  failure: string | undefined;
}

/** One message of a row; a row is published when all its messages are. */
interface Part {
  row: OutboxRow;
  stored: StoredMessage;
  message: StreamMessage & { msgId: string };
  /** Turns and holds go one after the other within their subject. */
  fenced: boolean;
}

/**
 * Publishes locked rows of the outbox; those of one key come in their order. Turns and holds of one conversation go
 * one after the other, each fenced by the sequence of the one before: what a stopped process had in hand is refused
 * once another has published to the subject.
 */
export async function publishOutbox(context: PublishContext, rows: PublishableRow[]): Promise<PublishResult> {
  const parts = await withoutPublished(context, rows.flatMap(partsOf));
  const progress = new Progress(rows, parts);
  const startedAt = context.now();
  const refreshed = new Set<string>();
  let free = parts.filter((part) => !part.fenced);
  while (free.length > 0 || (progress.fenced.size > 0 && context.now() - startedAt < ROUNDS_MS)) {
    const sent = [...free, ...progress.heads()];
    free = [];
    // The sequence of a subject that this process does not know is guessed; the refusal of a wrong guess tells it.
    const messages = sent.map(({ message, fenced }) =>
      fenced ? { ...message, expectedLastSubjectSequence: context.sequences.get(message.subject) ?? 0 } : message,
    );
    const outcomes = await context.publisher.publish(messages, { timeoutMs: ACK_TIMEOUT_MS });
    const outdated: { part: Part; lastSequence: number | undefined }[] = [];
    sent.forEach((part, index) => {
      const outcome = outcomes[index] as PublishOutcome;
      if (outcome.ok) {
        if (part.fenced) context.sequences.acknowledged(part.message.subject, outcome.seq);
        progress.done(part);
      } else if (outcome.reason === 'too_large') {
        progress.refused(part, outcome.detail);
      } else if (outcome.reason === 'wrong_last_sequence' && !refreshed.has(part.message.subject)) {
        refreshed.add(part.message.subject);
        outdated.push({ part, lastSequence: outcome.lastSequence });
      } else {
        progress.failed(part, `${outcome.reason}: ${outcome.detail}`);
      }
    });
    if (outdated.length > 0) await learnSequences(context, outdated);
  }
  return progress.result();
}

/** What is published of some rows, and what is still to be sent, subject by subject. */
class Progress {
  /** Turns and holds that wait, in order; a subject on which one failed is not here any more. */
  readonly fenced = new Map<string, Part[]>();
  private readonly outstanding = new Map<OutboxRow, number>();
  private readonly unpublishable = new Map<OutboxRow, RefusedMessage>();
  private failure: string | undefined;

  constructor(rows: PublishableRow[], parts: Part[]) {
    for (const { row } of rows) this.outstanding.set(row, 0);
    for (const part of parts) {
      this.outstanding.set(part.row, (this.outstanding.get(part.row) ?? 0) + 1);
      if (!part.fenced) continue;
      const queue = this.fenced.get(part.message.subject);
      if (queue === undefined) this.fenced.set(part.message.subject, [part]);
      else queue.push(part);
    }
  }

  heads(): Part[] {
    return [...this.fenced.values()].map((queue) => queue[0] as Part);
  }

  done(part: Part): void {
    this.outstanding.set(part.row, (this.outstanding.get(part.row) ?? 0) - 1);
    this.advance(part);
  }

  refused(part: Part, reason: string): void {
    this.unpublishable.set(part.row, { row: part.row, message: part.stored, reason });
    this.done(part);
  }

  /** What comes behind it on its subject waits too. */
  failed(part: Part, failure: string): void {
    this.failure ??= failure;
    if (part.fenced) this.fenced.delete(part.message.subject);
  }

  result(): PublishResult {
    const complete = [...this.outstanding].filter(([, count]) => count === 0).map(([row]) => row);
    return {
      published: complete.filter((row) => !this.unpublishable.has(row)),
      unpublishable: complete.flatMap((row) => {
        const refused = this.unpublishable.get(row);
        return refused === undefined ? [] : [refused];
      }),
      failure:
        this.failure ?? (this.fenced.size > 0 ? 'more turns of one conversation wait than fit a pass' : undefined),
    };
  }

  private advance({ fenced, message }: Part): void {
    if (!fenced) return;
    const queue = this.fenced.get(message.subject);
    queue?.shift();
    if (queue?.length === 0) this.fenced.delete(message.subject);
  }
}

function partsOf({ row, messages }: PublishableRow): Part[] {
  return messages.map((stored) => ({
    row,
    stored,
    message: {
      subject: stored.subject,
      payload: stored.payload ?? stored.raw ?? '',
      msgId: stored.msgId,
      ...(stored.headers === null ? {} : { headers: stored.headers }),
    },
    fenced: isFenced(stored.subject),
  }));
}

/** Turns and holds go one after the other within their subject. */
export function isFenced(subject: string): boolean {
  return streamOf(subject) === STREAMS.turns;
}

/**
 * Learns the last sequence of subjects from what refused a message, or else from the stream. The locks are confirmed
 * afterwards: whoever changed a subject since then must have had them, so a publish that expects what was learned
 * here cannot come too late.
 */
async function learnSequences(
  context: PublishContext,
  outdated: { part: Part; lastSequence: number | undefined }[],
): Promise<void> {
  await Promise.all(
    outdated.map(async ({ part, lastSequence }) => {
      const { subject } = part.message;
      const last = lastSequence ?? (await lastOnSubject(context.nc, STREAMS.turns, subject))?.seq ?? 0;
      context.sequences.set(subject, last);
    }),
  );
  await context.stillLocked();
}

/** Sorts out old messages that reached their stream before a crash kept their rows from being deleted. */
async function withoutPublished(context: PublishContext, parts: Part[]): Promise<Part[]> {
  const old = parts.filter(({ row }) => context.now() - row.createdAtMs > RECHECK_AFTER_MS);
  if (old.length === 0) return parts;
  const found = new Set<string>();
  for (const subject of new Set(old.map(({ message }) => message.subject))) {
    const since = Math.min(
      ...old.flatMap(({ row, message }) => (message.subject === subject ? [row.createdAtMs] : [])),
    );
    for (const id of await publishedMessageIds(context.nc, streamOf(subject), subject, since)) found.add(id);
  }
  await context.stillLocked();
  return parts.filter(({ message }) => !found.has(message.msgId));
}

function streamOf(subject: string): string {
  if (subject.startsWith('nexo.turns.')) return STREAMS.turns;
  return subject.startsWith('nexo.quarantine.') ? STREAMS.quarantine : STREAMS.events;
}
