import type { AgentReplyParams, AgentReplyResult } from '#contracts/agent-reply.js';
import type { SuppressionReason } from '#contracts/draft.js';
import { notFound } from '#contracts/errors.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { agentReplyId, conversationId, draftId } from '#domain/conversation/conversation-id.js';
import { decide } from '#domain/conversation/decide.js';
import { isLatest } from '#domain/conversation/turn-standing.js';
import { contentSha256 } from '#domain/outbound/hashes.js';
import { findDraft } from '#store/queries/find-draft.js';
import { findTurn } from '#store/queries/find-turn.js';
import type { LockedConversation } from '#store/queries/lock-conversation.js';
import type { Transaction } from '#store/transaction.js';

import type { Dependencies } from '../dependencies.js';
import { keepDraft } from '../drafts/keep-draft.js';
import { channelError } from '../outbound/channel-error.js';
import { checkReply } from '../outbound/check-reply.js';
import { checkTarget } from '../outbound/check-target.js';
import { type Admission, sendOutbound } from '../outbound/send-outbound.js';

/**
 * Sends a reply of the agent, or keeps it as a draft if a person has the conversation or had it since the turn was
 * given. The same content for the same turn is sent once; asked again, it answers the first outcome.
 * @throws RpcError `target_mismatch`, `not_found: unknown_turn`, and the errors of the channel
 */
export async function agentReply(
  deps: Dependencies,
  params: AgentReplyParams & { scope: ConversationScope },
): Promise<AgentReplyResult> {
  const { turn_id: turnId, scope, action } = params;
  checkReply(action);
  checkTarget(action, scope);
  const outboundId = agentReplyId(turnId, contentSha256(action));
  const outcome = await sendOutbound<SuppressionReason>(deps, {
    outboundId,
    scope,
    admit: (tx, conversation) => admit(tx, params, outboundId, conversation),
  });
  switch (outcome.status) {
    case 'sent':
      return {
        status: 'sent',
        ...(outcome.outboundMessageId === undefined ? {} : { outbound_message_id: outcome.outboundMessageId }),
      };
    case 'stopped':
      deps.relay.nudge([conversationId(scope)]);
      return { status: 'suppressed', reason: outcome.result, draft_id: draftId(outboundId) };
    case 'recalled':
      return { status: 'suppressed', reason: 'paused', draft_id: draftId(outboundId) };
    default:
      throw channelError(outcome);
  }
}

async function admit(
  tx: Transaction,
  params: AgentReplyParams,
  outboundId: string,
  conversation: LockedConversation | undefined,
): Promise<Admission<SuppressionReason>> {
  const { turn_id: turnId, epoch, action, session_id: sessionId } = params;
  const [turn, kept] = await Promise.all([findTurn(tx, turnId), findDraft(tx, draftId(outboundId))]);
  if (turn === undefined || conversation?.conversationId !== turn.conversationId) {
    throw notFound('unknown_turn', `there is no turn ${turnId} in this conversation`);
  }
  if (kept !== undefined) return { kind: 'stopped', result: kept.reason };
  const command = { kind: 'agent_reply', epoch, isLatest: isLatest(conversation, turn) } as const;
  const decision = decide(conversation.state, command, conversation.nowMs);
  if (decision.kind === 'suppressed') {
    await keepDraft(tx, conversation, { turnId, action, reason: decision.reason, outboundId: null });
    return { kind: 'stopped', result: decision.reason };
  }
  return {
    kind: 'send',
    outbound: {
      origin: 'agent',
      action,
      turnId,
      answersArrival: turn.lastArrival,
      line: {
        sessionId: sessionId ?? turn.sessionId ?? conversation.sessionId,
        senderId: `agent:${conversation.agentId}`,
        sourcePlugin: action.channel,
      },
    },
  };
}
