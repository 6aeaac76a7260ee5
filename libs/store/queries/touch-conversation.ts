import type { Transaction } from '../transaction.js';

const TOUCH_CONVERSATION = {
  name: 'touch-conversation',
  text: `UPDATE conversations SET last_activity_ms = greatest(last_activity_ms, $2) WHERE conversation_id = $1`,
};

/** Something was said in a locked conversation. */
export async function touchConversation(tx: Transaction, conversationId: string, nowMs: number): Promise<void> {
  await tx.rows(TOUCH_CONVERSATION, [conversationId, nowMs]);
}
