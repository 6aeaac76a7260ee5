import type { SuppressionReason } from '#contracts/draft.js';
import type { ReplyAction } from '#contracts/intervention-action.js';
import { agentReplyId, draftId } from '#domain/conversation/conversation-id.js';
import { contentSha256 } from '#domain/outbound/hashes.js';
import { insertDraft } from '#store/queries/insert-draft.js';
import { insertEvents } from '#store/queries/insert-events.js';
import { insertOutbox } from '#store/queries/insert-outbox.js';
import type { LockedConversation } from '#store/queries/lock-conversation.js';
import type { Transaction } from '#store/transaction.js';

import { scopeOf } from '../control-state.js';
import { eventMessages } from '../outbox-messages.js';

/** A reply of the agent that is not sent. */
export interface SuppressedReply {
  turnId: string;
  action: ReplyAction;
  reason: SuppressionReason;
  /** The message that a pause called back; null if none was begun. */
  outboundId: string | null;
}

/**
 * Keeps a reply as a draft and tells of it, in the transaction that decides so; the same reply again is kept and told
 * once.
 */
export async function keepDraft(
  tx: Transaction,
  conversation: LockedConversation,
  { turnId, action, reason, outboundId }: SuppressedReply,
): Promise<void> {
  const { conversationId, agentId, nowMs } = conversation;
  const content = contentSha256(action);
  const id = draftId(agentReplyId(turnId, content));
  const isNew = await insertDraft(tx, {
    draftId: id,
    conversationId,
    turnId,
    contentSha256: content,
    action,
    reason,
    outboundId,
    createdAtMs: nowMs,
  });
  if (!isNew) return;
  const { stored, rows } = eventMessages(conversationId, {
    kind: 'agent_reply_suppressed',
    agent_id: agentId,
    at_ms: nowMs,
    scope: scopeOf(conversation),
    turn_id: turnId,
    draft_id: id,
    reason,
  });
  await Promise.all([insertEvents(tx, [stored]), insertOutbox(tx, rows)]);
}
