import type { NatsConnection } from '@nats-io/nats-core';
import type { DataSource } from 'typeorm';

import type { StreamPublisher } from '#broker/stream-publisher.js';
import type { Hold } from '#contracts/hold.js';
import type { Turn } from '#contracts/turn.js';
import type { Logger } from '#runtime/logger.js';
import type { Metrics } from '#runtime/metrics.js';
import { asynchronousCommit } from '#store/queries/asynchronous-commit.js';
import { deleteOutbox } from '#store/queries/delete-outbox.js';
import { findOutboxKeys } from '#store/queries/find-outbox-keys.js';
import { insertEvents } from '#store/queries/insert-events.js';
import { insertOutbox } from '#store/queries/insert-outbox.js';
import { lockOutbox, tryLockOutbox } from '#store/queries/lock-outbox.js';
import { readOutbox, type StoredMessage } from '#store/queries/read-outbox.js';
import { setAsideUnpublishable } from '#store/queries/set-aside-unpublishable.js';
import { stillConnected } from '#store/queries/still-connected.js';
import { readOnce } from '#store/read.js';
import { type Transaction, withTransaction } from '#store/transaction.js';

import { LastSequences } from './last-sequences.js';
import { messagesOfRows } from './messages-of-rows.js';
import { eventMessages, type NewEvent } from './outbox-messages.js';
import { isFenced, publishOutbox, type RefusedMessage } from './publish-outbox.js';
import { ReadyMessages, type ReadyReference } from './ready-messages.js';

const POLL_MS = 250;
const KEYS_PER_PASS = 512;
const ROWS_PER_KEY = 64;
const ROWS_PER_POLL = 2_048;
const REMEMBERED_SUBJECTS = 200_000;
const READY_BATCHES = 8;

export interface OutboxRelayOptions {
  dataSource: DataSource;
  nc: NatsConnection;
  publisher: StreamPublisher;
  logger: Logger;
  metrics: Metrics;
  now: () => number;
}

/**
 * Publishes what transactions have left in the outbox. Every process has one; a lock a key keeps two of them from
 * publishing rows of the same conversation at once. It is nudged after each commit, and looks by itself every 250 ms
 * for what another process, or a failed attempt, has left.
 */
export class OutboxRelay {
  private readonly nudged = new Set<string>();
  private readonly sequences = new LastSequences(REMEMBERED_SUBJECTS);
  private readonly ready = new ReadyMessages(READY_BATCHES);
  private readonly stopped = new AbortController();
  private wake: () => void = () => undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly options: OutboxRelayOptions) {}

  /** Publishes until `stop()`. */
  run(): void {
    this.running ??= this.loop();
  }

  /** These keys have rows to publish; what `references` stand for need not be read back if it is done soon. */
  nudge(orderingKeys: Iterable<string>, references: readonly ReadyReference[] = []): void {
    if (references.length > 0) this.ready.put(references);
    for (const key of orderingKeys) this.nudged.add(key);
    this.wake();
  }

  /**
   * Publishes the rows of one key now, waiting for another publisher of it if need be.
   * @returns false if some of them were not acknowledged within `timeoutMs`
   */
  async publishNow(orderingKey: string, timeoutMs: number): Promise<boolean> {
    const deadline = this.options.now() + timeoutMs;
    do {
      const left = await this.attempt([orderingKey], true);
      if (left === 'nothing') return true;
      if (left === 'failed') await delay(Math.min(POLL_MS, Math.max(0, deadline - this.options.now())));
    } while (this.options.now() < deadline);
    return false;
  }

  /** Tries once more what it was nudged for; what is left waits for another process or the next start. */
  async stop(): Promise<void> {
    this.stopped.abort();
    this.wake();
    await this.running;
  }

  private async loop(): Promise<void> {
    let polledAt = 0;
    while (!this.stopped.signal.aborted || this.nudged.size > 0) {
      if (this.nudged.size === 0) await this.sleep();
      let keys = this.takeNudged();
      if (this.options.now() - polledAt >= POLL_MS) {
        polledAt = this.options.now();
        keys = [...new Set([...keys, ...(await this.findWaiting())])];
      }
      if (keys.length > 0) await this.attempt(keys, false);
    }
  }

  private sleep(): Promise<void> {
    if (this.stopped.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private takeNudged(): string[] {
    const keys: string[] = [];
    for (const key of this.nudged) {
      if (keys.length === KEYS_PER_PASS) break;
      keys.push(key);
      this.nudged.delete(key);
    }
    return keys;
  }

  private async findWaiting(): Promise<string[]> {
    try {
      return await readOnce(this.options.dataSource, (reader) => findOutboxKeys(reader, ROWS_PER_POLL));
    } catch (error) {
      this.options.logger.warn({ err: error }, 'the outbox cannot be read; it is tried again');
      return [];
    }
  }

  /** One pass in one transaction; never throws. Rows that were not published stay where they are. */
  private async attempt(orderingKeys: string[], wait: boolean): Promise<'nothing' | 'more' | 'failed'> {
    try {
      return await withTransaction(this.options.dataSource, (tx) => this.pass(tx, orderingKeys, wait));
    } catch (error) {
      this.options.logger.warn({ err: error }, 'the outbox could not be relayed; it is tried again');
      return 'failed';
    }
  }

  private async pass(tx: Transaction, orderingKeys: string[], wait: boolean): Promise<'nothing' | 'more' | 'failed'> {
    const { nc, publisher, now } = this.options;
    // What a crash undoes here is published again under the same message id.
    const [, keys] = await Promise.all([asynchronousCommit(tx), lock(tx, orderingKeys, wait)]);
    const rows = keys.length === 0 ? [] : await readOutbox(tx, keys, ROWS_PER_KEY);
    if (rows.length === 0) return 'nothing';
    const stillLocked = () => stillConnected(tx);
    const whole = await messagesOfRows(tx, this.ready, rows);
    const result = await publishOutbox({ nc, publisher, sequences: this.sequences, stillLocked, now }, whole);
    await deleteOutbox(tx, result.published);
    for (const row of result.published) this.options.metrics.countPublished(row.kind, 1);
    for (const refused of result.unpublishable) await this.setAside(tx, refused);
    if (result.failure !== undefined) {
      this.options.logger.warn({ failure: result.failure }, 'messages wait in the outbox for the broker');
      return 'failed';
    }
    const full = new Map<string, number>();
    for (const row of rows) full.set(row.orderingKey, (full.get(row.orderingKey) ?? 0) + 1);
    const unfinished = keys.filter((key) => full.get(key) === ROWS_PER_KEY);
    if (result.unpublishable.length > 0) unfinished.push(...result.unpublishable.map(({ row }) => row.orderingKey));
    this.nudge(unfinished);
    return unfinished.length > 0 ? 'more' : 'nothing';
  }

  private async setAside(tx: Transaction, { row, message, reason }: RefusedMessage): Promise<void> {
    const { subject, msgId, payload } = message;
    this.options.logger.error(
      { subject, msg_id: msgId, reason },
      'the broker will never take this message; it was moved to the table unpublishable',
    );
    await setAsideUnpublishable(tx, row, { subject, msgId, payload, reason });
    const { stored, rows } = eventMessages(row.orderingKey, unpublishableEvent(message, reason, this.options.now()));
    await insertEvents(tx, [stored]);
    await insertOutbox(tx, rows);
  }
}

async function lock(tx: Transaction, orderingKeys: string[], wait: boolean): Promise<string[]> {
  if (!wait) return tryLockOutbox(tx, orderingKeys);
  for (const key of orderingKeys) await lockOutbox(tx, key);
  return orderingKeys;
}

function unpublishableEvent(
  { subject, payload }: StoredMessage,
  reason: string,
  nowMs: number,
): NewEvent & { at_ms: number } {
  if (isFenced(subject) && payload !== null) {
    const refused = JSON.parse(payload) as Turn | Hold;
    if (refused.kind === 'turn') {
      const { agent_id, scope, turn_id } = refused;
      return { kind: 'turn_failed', agent_id, at_ms: nowMs, scope, turn_id, detail: `not published: ${reason}` };
    }
  }
  return {
    kind: 'inbound_quarantined',
    agent_id: 'system',
    at_ms: nowMs,
    subject,
    reason: 'unpublishable',
    stream_seq: 0,
  };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
