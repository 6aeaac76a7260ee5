import type { EscalationReason, EscalationUrgency } from '#contracts/escalation-state.js';

import type { Transaction } from '../transaction.js';

/** An escalation that waits for a person. */
export interface PendingEscalation {
  escalationId: string;
  reason: EscalationReason;
  urgency: EscalationUrgency;
  requestedAtMs: number;
  /** Alarms that were raised. */
  alarms: number;
}

interface Row {
  escalation_id: string;
  reason: EscalationReason;
  urgency: EscalationUrgency;
  requested_at_ms: string;
  alarms: number;
}

const FIND_PENDING_ESCALATION = {
  name: 'find-pending-escalation',
  text: `
    SELECT escalation_id, reason, urgency, requested_at_ms, alarms
    FROM escalations WHERE conversation_id = $1 AND resolved_at_ms IS NULL`,
};

const FIND_ESCALATION_TIMES = {
  name: 'find-escalation-times',
  text: 'SELECT requested_at_ms FROM escalations WHERE conversation_id = $1 AND requested_at_ms > $2',
};

const EXISTS_ESCALATION = {
  name: 'exists-escalation',
  text: 'SELECT FROM escalations WHERE conversation_id = $1 LIMIT 1',
};

/** The pending escalation of a locked conversation. */
export async function findPendingEscalation(
  tx: Transaction,
  conversationId: string,
): Promise<PendingEscalation | undefined> {
  const [row] = await tx.rows<Row>(FIND_PENDING_ESCALATION, [conversationId]);
  return (
    row && {
      escalationId: row.escalation_id,
      reason: row.reason,
      urgency: row.urgency,
      requestedAtMs: Number(row.requested_at_ms),
      alarms: row.alarms,
    }
  );
}

/** When escalations of a locked conversation were requested after `sinceMs`. */
export async function findEscalationTimes(tx: Transaction, conversationId: string, sinceMs: number): Promise<number[]> {
  const rows = await tx.rows<{ requested_at_ms: string }>(FIND_ESCALATION_TIMES, [conversationId, sinceMs]);
  return rows.map((row) => Number(row.requested_at_ms));
}

/** True if the conversation was ever escalated. */
export async function wasEscalated(tx: Transaction, conversationId: string): Promise<boolean> {
  return (await tx.rows(EXISTS_ESCALATION, [conversationId])).length > 0;
}
