import type { Transaction } from '../transaction.js';
import { auditValues, type NewAuditRow } from './insert-audit-row.js';

/** The operator of audit rows about requests without a valid token. */
export const UNKNOWN_OPERATOR = 'unknown';

const ONE_AT_A_TIME = {
  name: 'lock-stranger-audit',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('audit_log.unknown', 0))`,
};

const INSERT_STRANGER_AUDIT_ROW = {
  name: 'insert-stranger-audit-row',
  text: `
    INSERT INTO audit_log (at_ms, operator, method, scope, agent_id, outcome, changed, reason, correlation_id, params_sha256)
    SELECT clock.now_ms, $1, $2, $3, $4, $5, $6::boolean, $7, $8::uuid, $9
    FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms) AS clock
    WHERE NOT EXISTS (SELECT FROM audit_log WHERE operator = 'unknown' AND at_ms > clock.now_ms - $10::bigint)`,
};

/**
 * Notes that somebody without a valid token was refused, unless that was noted within the last `perMs`, on the
 * database's clock and whichever process did so.
 * @returns whether a row was added
 */
export async function insertStrangerAuditRow(
  tx: Transaction,
  row: Omit<NewAuditRow, 'operator' | 'outcome' | 'changed'>,
  perMs: number,
): Promise<boolean> {
  const values = auditValues({ ...row, operator: UNKNOWN_OPERATOR, outcome: 'refused', changed: false });
  const [, added] = await Promise.all([
    tx.rows(ONE_AT_A_TIME),
    tx.affected(INSERT_STRANGER_AUDIT_ROW, [...values, perMs]),
  ]);
  return added === 1;
}
