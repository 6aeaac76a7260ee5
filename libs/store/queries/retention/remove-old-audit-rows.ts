import type { Transaction } from '../../transaction.js';
import { type Removal, type Removed, repeatWhileFull } from './removal.js';

/** Whole days of UTC, so that the rows which tell of removals are few: each step adds one. */
const REMOVE_OLD_AUDIT_ROWS = {
  name: 'remove-old-audit-rows',
  text: `
    WITH cutoff AS (
      SELECT (extract(epoch FROM date_trunc('day', clock_timestamp() - $1::int * interval '1 day', 'UTC')) * 1000)::bigint
        AS at_ms
    ), first AS MATERIALIZED (
      SELECT position, audit_log.at_ms < cutoff.at_ms AS old
      FROM audit_log, cutoff WHERE position IS NOT NULL ORDER BY position LIMIT $2
    )
    DELETE FROM audit_log WHERE position <= (
      SELECT max(position) FROM first
      WHERE old AND position < coalesce((SELECT min(position) FROM first WHERE NOT old), 9223372036854775807))`,
};

/** Removes the oldest rows of the audit log, in the order of the chain. */
export async function removeOldAuditRows(tx: Transaction, removal: Removal): Promise<Removed> {
  return repeatWhileFull(await tx.affected(REMOVE_OLD_AUDIT_ROWS, [removal.days, removal.limit]), removal);
}
