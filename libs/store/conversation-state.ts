import type { ConversationState } from '#domain/conversation/decide.js';

/** The columns of `conversations` that make up a conversation's state. */
export interface ConversationStateRow {
  state: ConversationState['state'];
  epoch: string;
  paused_at_ms: string | null;
  operator_token_hash: string | null;
  pause_reason: string | null;
  auto_resume_at_ms: string | null;
}

export const CONVERSATION_STATE_COLUMNS =
  'state, epoch, paused_at_ms, operator_token_hash, pause_reason, auto_resume_at_ms';

export function toConversationState(row: ConversationStateRow): ConversationState {
  const epoch = Number(row.epoch);
  if (row.state === 'agent_active') return { state: 'agent_active', epoch };
  return {
    state: 'paused_by_operator',
    epoch,
    pausedAtMs: Number(row.paused_at_ms),
    operatorTokenHash: row.operator_token_hash as string,
    reason: row.pause_reason,
    autoResumeAtMs: row.auto_resume_at_ms === null ? null : Number(row.auto_resume_at_ms),
  };
}
