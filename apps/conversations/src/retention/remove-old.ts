import { setTimeout as sleep } from 'node:timers/promises';

import type { DataSource } from 'typeorm';

import type { Logger } from '#runtime/logger.js';
import type { Metrics } from '#runtime/metrics.js';
import {
  beginSweep,
  type Removal,
  type Removed,
  type RemoveOld,
  SWEEP_START,
  type SweepPlace,
} from '#store/queries/retention/removal.js';
import { removeOldAuditRows } from '#store/queries/retention/remove-old-audit-rows.js';
import { removeOldEntries } from '#store/queries/retention/remove-old-entries.js';
import { removeOldEvents } from '#store/queries/retention/remove-old-events.js';
import { removeOldEvicted } from '#store/queries/retention/remove-old-evicted.js';
import {
  removeOldDrafts,
  removeOldEscalations,
  removeOldOutbounds,
  removeOldUnpublishable,
} from '#store/queries/retention/remove-old-rows.js';
import { whileNobodyElse } from '#store/session-lock.js';
import { withTransaction } from '#store/transaction.js';

import { describeFailure } from '../commands/describe-failure.js';
import type { RetentionAges } from './retention-settings.js';

/** Rows that one transaction removes: some milliseconds of work. */
const ROWS_AT_ONCE = 500;
/** At least; and as long as the step took, so that it is half of the time at most. */
const PAUSE_MS = 50;

const REMOVERS: Record<keyof RetentionAges, RemoveOld> = {
  transcripts: removeOldEntries,
  events: removeOldEvents,
  evicted: removeOldEvicted,
  drafts: removeOldDrafts,
  outbounds: removeOldOutbounds,
  escalations: removeOldEscalations,
  unpublishable: removeOldUnpublishable,
  audit: removeOldAuditRows,
};
const KINDS = Object.keys(REMOVERS) as (keyof RetentionAges)[];

/** What retention needs of a process. */
export interface RetentionDependencies {
  dataSource: DataSource;
  logger: Logger;
  metrics: Pick<Metrics, 'countRemoved'>;
}

/**
 * Removes everything that is older than its age, in small transactions with pauses between, unless another process is
 * at it. What fails is left for the next time and does not keep the rest from being removed.
 * @returns rows removed of each kind; undefined if another process is at it
 */
export function removeOld(
  deps: RetentionDependencies,
  ages: RetentionAges,
  signal: AbortSignal,
): Promise<Partial<Record<keyof RetentionAges, number>> | undefined> {
  return whileNobodyElse(deps.dataSource, 'retention', async () => {
    const removed: Partial<Record<keyof RetentionAges, number>> = {};
    for (const kind of KINDS.filter((each) => ages[each] > 0)) {
      try {
        const rows = await removeOldOf(deps, kind, ages[kind], signal);
        if (rows > 0) removed[kind] = rows;
      } catch (error) {
        deps.logger.warn({ kind, failure: describeFailure(error) }, 'what is too old could not be removed');
      }
    }
    if (Object.keys(removed).length > 0) deps.logger.info({ removed }, 'what was too old was removed');
    return removed;
  });
}

async function removeOldOf(
  { dataSource, metrics }: RetentionDependencies,
  kind: keyof RetentionAges,
  days: number,
  signal: AbortSignal,
): Promise<number> {
  let rows = 0;
  let place: SweepPlace | undefined = SWEEP_START;
  while (place !== undefined && !signal.aborted) {
    const startedAt = performance.now();
    const removal: Removal = { days, limit: ROWS_AT_ONCE, place };
    const step: Removed = await withTransaction(dataSource, async (tx) => {
      await beginSweep(tx);
      return REMOVERS[kind](tx, removal);
    });
    rows += step.rows;
    metrics.countRemoved(kind, step.rows);
    place = step.next;
    if (place === undefined) break;
    const pauseMs = Math.max(PAUSE_MS, performance.now() - startedAt);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return rows;
}
