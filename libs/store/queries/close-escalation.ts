import type { EscalationResolution } from '#contracts/escalation-state.js';

import type { Transaction } from '../transaction.js';

const CLOSE_ESCALATION = {
  name: 'close-escalation',
  text: `
    UPDATE escalations
    SET resolved_at_ms = $2, resolved_by = $3, dismiss_reason = $4, acknowledge_at_ms = NULL
    WHERE conversation_id = $1 AND resolved_at_ms IS NULL`,
};

/**
 * Resolves the pending escalation of a locked conversation.
 * @returns false if there is none
 */
export async function closeEscalation(
  tx: Transaction,
  conversationId: string,
  resolvedAtMs: number,
  by: EscalationResolution,
): Promise<boolean> {
  const dismissReason = by.kind === 'operator_dismissed' ? (by.reason ?? null) : null;
  return (await tx.affected(CLOSE_ESCALATION, [conversationId, resolvedAtMs, by.kind, dismissReason])) > 0;
}
