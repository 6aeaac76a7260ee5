import type { Reader } from '../read.js';
import type { Transaction } from '../transaction.js';

const FIND_OVERDUE_ESCALATIONS = {
  name: 'find-overdue-escalations',
  text: `
    SELECT conversation_id FROM escalations
    WHERE resolved_at_ms IS NULL AND alarms < cardinality($1::bigint[])
      AND requested_at_ms + ($1::bigint[])[alarms + 1] <= (extract(epoch FROM clock_timestamp()) * 1000)::bigint
    ORDER BY requested_at_ms LIMIT $2`,
};

const SET_ALARMS = {
  name: 'set-escalation-alarms',
  text: 'UPDATE escalations SET alarms = $2 WHERE escalation_id = $1',
};

/**
 * Conversations whose escalation has waited for its next alarm, on the database's clock, the longest first.
 * @param stepsMs after how long each alarm is due
 */
export async function findOverdueEscalations(
  reader: Reader,
  stepsMs: readonly number[],
  limit: number,
): Promise<string[]> {
  const rows = await reader.rows<{ conversation_id: string }>(FIND_OVERDUE_ESCALATIONS, [stepsMs, limit]);
  return rows.map((row) => row.conversation_id);
}

/** Notes how many alarms an escalation has raised. */
export async function setEscalationAlarms(tx: Transaction, escalationId: string, alarms: number): Promise<void> {
  await tx.rows(SET_ALARMS, [escalationId, alarms]);
}
