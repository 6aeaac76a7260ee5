import type { ProcessingControlState } from '#contracts/processing-control-state.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import type { ConversationState } from '#domain/conversation/decide.js';
import type { StoredEvent } from '#store/queries/insert-events.js';
import type { NewOutboxRow } from '#store/queries/insert-outbox.js';
import type { LockedConversation } from '#store/queries/lock-conversation.js';

import { eventMessages } from './outbox-messages.js';

/** A conversation's state as the wire shows it. */
export function controlState(state: ConversationState, scope: ConversationScope): ProcessingControlState {
  if (state.state === 'agent_active') return { state: 'agent_active' };
  return {
    state: 'paused_by_operator',
    scope,
    paused_at_ms: state.pausedAtMs,
    operator_token_hash: state.operatorTokenHash,
    ...(state.reason === null ? {} : { reason: state.reason }),
    ...(state.autoResumeAtMs === null ? {} : { auto_resume_at_ms: state.autoResumeAtMs }),
  };
}

/** The event and the notification of a change of state. `by` is the operator's hash, or `system`. */
export function stateChanged(
  conversation: LockedConversation,
  next: ConversationState,
  scope: ConversationScope,
  by: string,
): { stored: StoredEvent; rows: NewOutboxRow[] } {
  return eventMessages(conversation.conversationId, {
    kind: 'processing_state_changed',
    agent_id: scope.agent_id,
    at_ms: conversation.nowMs,
    scope,
    prev_state: controlState(conversation.state, scope),
    new_state: controlState(next, scope),
    epoch: next.epoch,
    by,
  });
}

/** The scope of a stored conversation. */
export function scopeOf(
  conversation: Pick<LockedConversation, 'agentId' | 'channel' | 'accountId' | 'contactId' | 'mcpChannelSource'>,
): ConversationScope {
  return {
    kind: 'conversation',
    agent_id: conversation.agentId,
    channel: conversation.channel,
    account_id: conversation.accountId,
    contact_id: conversation.contactId,
    ...(conversation.mcpChannelSource === null ? {} : { mcp_channel_source: conversation.mcpChannelSource }),
  };
}
