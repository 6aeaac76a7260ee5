import type { ConversationState } from '#domain/conversation/decide.js';

import type { Transaction } from '../transaction.js';

/** What a pause, a takeover or a resume leaves in a conversation's row. */
export interface ConversationUpdate {
  conversationId: string;
  state: ConversationState;
  pausedArrival: number | null;
  resumedArrival: number;
  sessionId: string;
  bufferHead: number;
  bufferTail: number;
  takenBack: number;
  nowMs: number;
}

const UPDATE_CONVERSATION = {
  name: 'update-conversation',
  text: `
    UPDATE conversations
    SET state = $2, epoch = $3, paused_at_ms = $4, operator_token_hash = $5, pause_reason = $6, auto_resume_at_ms = $7,
      paused_arrival = $8, session_id = $9, buffer_head = $10, buffer_tail = $11, taken_back = $12,
      last_activity_ms = greatest(last_activity_ms, $13), resumed_arrival = $14
    WHERE conversation_id = $1`,
};

/** Writes the outcome of a command to the row that it has locked. */
export async function updateConversation(tx: Transaction, update: ConversationUpdate): Promise<void> {
  const { state } = update;
  const paused = state.state === 'paused_by_operator' ? state : undefined;
  await tx.rows(UPDATE_CONVERSATION, [
    update.conversationId,
    state.state,
    state.epoch,
    paused?.pausedAtMs ?? null,
    paused?.operatorTokenHash ?? null,
    paused?.reason ?? null,
    paused?.autoResumeAtMs ?? null,
    update.pausedArrival,
    update.sessionId,
    update.bufferHead,
    update.bufferTail,
    update.takenBack,
    update.nowMs,
    update.resumedArrival,
  ]);
}
