import type { EscalationResolution } from '#contracts/escalation-state.js';
import { closeEscalation } from '#store/queries/close-escalation.js';
import { insertEvents } from '#store/queries/insert-events.js';
import { insertOutbox } from '#store/queries/insert-outbox.js';
import type { LockedConversation } from '#store/queries/lock-conversation.js';
import type { Transaction } from '#store/transaction.js';

import { scopeOf } from '../control-state.js';
import { timedEventMessages } from '../outbox-messages.js';

/**
 * Resolves the pending escalation of a locked conversation and tells of it, in the caller's transaction.
 * @returns false if there is none
 */
export async function endEscalation(
  tx: Transaction,
  conversation: LockedConversation,
  by: EscalationResolution,
): Promise<boolean> {
  const { conversationId, agentId, nowMs } = conversation;
  if (!(await closeEscalation(tx, conversationId, nowMs, by))) return false;
  const event = { agent_id: agentId, scope: scopeOf(conversation), resolved_at_ms: nowMs, by };
  const { stored, rows } = timedEventMessages(conversationId, { kind: 'escalation_resolved', ...event }, nowMs);
  await Promise.all([insertEvents(tx, [stored]), insertOutbox(tx, rows)]);
  return true;
}
