import type { EscalationReason, EscalationUrgency } from '#contracts/escalation-state.js';

import type { Transaction } from '../transaction.js';

/** What an agent asks a person for; its texts redacted. */
export interface NewEscalation {
  escalationId: string;
  conversationId: string;
  agentId: string;
  summary: string;
  reason: EscalationReason;
  urgency: EscalationUrgency;
  /** JSON. */
  context: string | null;
  requestedAtMs: number;
  /** When the contact is to be told; null: never. */
  acknowledgeAtMs: number | null;
}

const INSERT_ESCALATION = {
  name: 'insert-escalation',
  text: `
    INSERT INTO escalations
      (escalation_id, conversation_id, agent_id, summary, reason, urgency, context, requested_at_ms, acknowledge_at_ms)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
};

/** Adds the pending escalation of a locked conversation that has none. */
export async function insertEscalation(tx: Transaction, escalation: NewEscalation): Promise<void> {
  await tx.rows(INSERT_ESCALATION, [
    escalation.escalationId,
    escalation.conversationId,
    escalation.agentId,
    escalation.summary,
    escalation.reason,
    escalation.urgency,
    escalation.context,
    escalation.requestedAtMs,
    escalation.acknowledgeAtMs,
  ]);
}
