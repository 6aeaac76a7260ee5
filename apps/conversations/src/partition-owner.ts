import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { NatsConnection } from '@nats-io/nats-core';

import { consumePartition, type StreamRecord } from '#broker/partition-consumer.js';
import { partitionFilter } from '#broker/partitions.js';
import { STREAMS } from '#contracts/subjects.js';
import type { Metrics } from '#runtime/metrics.js';
import type { PartitionLease } from '#store/queries/move-cursor.js';
import {
  acquireLease,
  ensurePartition,
  type OwnedPartition,
  releaseLease,
  renewLease,
} from '#store/queries/partition-lease.js';
import { withTransaction } from '#store/transaction.js';

import type { Dependencies } from './dependencies.js';
import { readBatch } from './inbound-reader.js';
import { reconcileCursor } from './reconcile-cursor.js';
import { LeaseLost, storeBatch } from './store-batch.js';

/** Published when a partition is given up, so that whoever waits for it need not wait for the next look. */
const LEASE_RELEASED_SUBJECT = 'holdline.partition.released';

export interface PartitionOwnerOptions {
  deps: Dependencies;
  nc: NatsConnection;
  metrics: Metrics;
  partition: number;
  partitions: number;
  leaseMs: number;
  renewEveryMs: number;
  /** How often a process that does not own the partition looks whether it is free. */
  retryEveryMs: number;
  batch: { maxMessages: number; maxBytes: number; maxWaitMs: number };
}

/**
 * Reads one partition of the inbound stream while it holds the partition's lease, and waits for the lease otherwise.
 * At most one process owns a partition; one that does not know yet that it lost the lease can store nothing.
 */
export class PartitionOwner {
  private readonly owner = randomUUID();
  private readonly stopped = new AbortController();
  private wake: () => void = () => undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly options: PartitionOwnerOptions) {}

  run(): void {
    this.running ??= this.loop();
  }

  /** Finishes the batch in hand and gives the partition to another process. */
  async stop(): Promise<void> {
    this.stopped.abort();
    this.wake();
    await this.running;
  }

  private async loop(): Promise<void> {
    const { deps, nc } = this.options;
    const released = nc.subscribe(LEASE_RELEASED_SUBJECT, { callback: () => this.wake() });
    while (!this.stopped.signal.aborted) {
      try {
        const owned = await this.acquire();
        if (owned !== undefined) await this.own(owned);
      } catch (error) {
        deps.logger.warn(
          { err: error, partition: this.options.partition },
          'the partition cannot be read; trying again',
        );
      }
      await this.pause();
    }
    released.unsubscribe();
  }

  private acquire(): Promise<OwnedPartition | undefined> {
    const { deps, partition, leaseMs } = this.options;
    return withTransaction(deps.dataSource, async (tx) => {
      await ensurePartition(tx, partition);
      return acquireLease(tx, partition, this.owner, leaseMs);
    });
  }

  private async own(owned: OwnedPartition): Promise<void> {
    const { deps, nc } = this.options;
    const lost = new AbortController();
    const signal = AbortSignal.any([this.stopped.signal, lost.signal]);
    deps.logger.info(
      { partition: owned.partition, owner_epoch: owned.ownerEpoch, cursor: owned.cursor },
      'partition owned',
    );
    const renewing = this.keepLease(owned, lost, signal);
    try {
      const cursor = await reconcileCursor(deps, nc, owned, this.options.partitions);
      await this.consume(owned, cursor, signal);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      deps.logger.warn({ partition: owned.partition }, 'another process owns the partition now');
    } finally {
      lost.abort();
      await renewing;
      await this.release(owned);
    }
  }

  /** The next batch is fetched and read while the one before is stored. */
  private async consume(lease: PartitionLease, cursor: number, signal: AbortSignal): Promise<void> {
    const { deps, nc, metrics, batch, partition, partitions } = this.options;
    const batches = consumePartition({
      nc,
      stream: STREAMS.inbound,
      filterSubject: partitionFilter(partition, partitions),
      fromSeq: cursor + 1,
      ...batch,
      signal,
    });
    const iterator = batches[Symbol.asyncIterator]();
    let storing: Promise<void> = Promise.resolve();
    try {
      for (;;) {
        const next: IteratorResult<StreamRecord[]> = await iterator.next();
        const read = next.done === true ? undefined : readBatch(next.value, deps.redactor);
        await storing;
        if (read === undefined) return;
        storing = storeBatch(deps, metrics, lease, read, signal);
        storing.catch(() => undefined);
      }
    } finally {
      await iterator.return(undefined);
      await storing.catch(() => undefined);
    }
  }

  private async keepLease(lease: PartitionLease, lost: AbortController, signal: AbortSignal): Promise<void> {
    const { deps, leaseMs, renewEveryMs } = this.options;
    while (!signal.aborted) {
      await delay(renewEveryMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        if (await withTransaction(deps.dataSource, (tx) => renewLease(tx, lease, leaseMs))) continue;
        lost.abort();
      } catch (error) {
        deps.logger.warn({ err: error, partition: lease.partition }, 'the lease could not be renewed; trying again');
      }
    }
  }

  private async release(lease: PartitionLease): Promise<void> {
    const { deps, nc } = this.options;
    try {
      await withTransaction(deps.dataSource, (tx) => releaseLease(tx, lease));
      deps.logger.info({ partition: lease.partition }, 'partition released');
      if (!nc.isClosed()) nc.publish(LEASE_RELEASED_SUBJECT);
    } catch (error) {
      deps.logger.warn({ err: error, partition: lease.partition }, 'the lease was not released; it runs out by itself');
    }
  }

  private pause(): Promise<void> {
    if (this.stopped.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.options.retryEveryMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
