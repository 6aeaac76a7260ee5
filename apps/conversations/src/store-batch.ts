import { setTimeout as delay } from 'node:timers/promises';

import type { StreamRecord } from '#broker/partition-consumer.js';
import type { Metrics } from '#runtime/metrics.js';
import { classifyDatabaseError, isRefusedData } from '#store/database-errors.js';
import { CursorNotMoved, type PartitionLease } from '#store/queries/move-cursor.js';
import { readLease } from '#store/queries/partition-lease.js';
import { withTransaction } from '#store/transaction.js';

import type { Dependencies } from './dependencies.js';
import { type BatchOutcome, receiveInbounds } from './handlers/receive-inbounds.js';
import { readBatch, type ReadBatch, refuseBatch } from './inbound-reader.js';

const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 2_000;

/** The partition belongs to another process. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * Stores a batch, trying until it is stored: while the database is away nothing is forwarded and nothing is skipped.
 * Where the database refuses data, the batch is halved until the one message is found, which goes to quarantine.
 * @throws LeaseLost; or the signal's reason, when it aborts while the database is away
 */
export async function storeBatch(
  deps: Dependencies,
  metrics: Metrics,
  lease: PartitionLease,
  batch: ReadBatch,
  signal: AbortSignal,
): Promise<void> {
  for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)) {
    try {
      const startedAt = performance.now();
      const outcome = await receiveInbounds(deps, lease, batch);
      deps.relay.nudge(outcome.orderingKeys, outcome.references);
      report(metrics, outcome, performance.now() - startedAt);
      return;
    } catch (error) {
      if (isRefusedData(error)) return isolateRefused(deps, metrics, lease, batch.records, signal);
      if (!(error instanceof CursorNotMoved)) {
        const failure = classifyDatabaseError(error);
        deps.logger[failure === 'fatal' ? 'error' : 'warn']({ err: error }, 'a batch was not stored; trying again');
        await delay(retryMs, undefined, { signal });
      }
    }
    if (await isStored(deps, lease, batch.lastSeq)) return;
  }
}

/** A commit whose answer was lost may have been made: the cursor tells. */
async function isStored(deps: Dependencies, lease: PartitionLease, lastSeq: number): Promise<boolean> {
  try {
    const owned = await withTransaction(deps.dataSource, (tx) => readLease(tx, lease));
    if (owned === undefined) throw new LeaseLost(`partition ${lease.partition} has another owner`);
    return owned.cursor >= lastSeq;
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    return false;
  }
}

async function isolateRefused(
  deps: Dependencies,
  metrics: Metrics,
  lease: PartitionLease,
  records: StreamRecord[],
  signal: AbortSignal,
): Promise<void> {
  if (records.length > 1) {
    const middle = records.length >> 1;
    await storeBatch(deps, metrics, lease, readBatch(records.slice(0, middle), deps.redactor), signal);
    await storeBatch(deps, metrics, lease, readBatch(records.slice(middle), deps.redactor), signal);
    return;
  }
  deps.logger.error({ seq: records[0]?.seq }, 'the database refuses this inbound; it goes to quarantine');
  const outcome = await receiveInbounds(deps, lease, refuseBatch(records, 'refused_by_store'));
  deps.relay.nudge(outcome.orderingKeys, outcome.references);
  report(metrics, outcome, 0);
}

function report(metrics: Metrics, outcome: BatchOutcome, durationMs: number): void {
  const { forwarded, buffered, duplicates, quarantined, evicted } = outcome;
  metrics.countInbounds('forwarded', forwarded);
  metrics.countInbounds('buffered', buffered);
  metrics.countInbounds('duplicate', duplicates);
  metrics.countInbounds('quarantined', quarantined);
  metrics.countEvictions(evicted);
  metrics.observeBatch(forwarded + buffered + duplicates + quarantined, durationMs);
}
