import { conflict, invalidParams } from '#contracts/errors.js';
import type { ReplyAction } from '#contracts/intervention-action.js';
import type { ProcessingAck } from '#contracts/processing-ack.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { EXTERNAL_OPERATOR, type PausedState } from '#domain/conversation/decide.js';
import type { LockedConversation } from '#store/queries/lock-conversation.js';

import type { CommandContext } from '../commands/command-context.js';
import { channelError } from './channel-error.js';
import { checkTarget } from './check-target.js';
import type { OutboundOutcome } from './outcome.js';
import type { AdmittedOutbound } from './send-outbound.js';

/** What an operator wants to tell the contact; with a session it becomes a line there. */
export interface OperatorReply {
  scope: ConversationScope;
  action: ReplyAction;
  sessionId: string | undefined;
}

/**
 * The message of an operator who may answer in this conversation.
 * @throws RpcError `scope_not_paused`, `target_mismatch`, `conflict: held_by_other_operator`
 */
export function admitOperatorReply(
  { exclusiveReplies }: { exclusiveReplies: boolean },
  conversation: LockedConversation | undefined,
  { scope, action, sessionId }: OperatorReply,
  { method, correlationId, operator, paramsSha256 }: CommandContext,
): AdmittedOutbound {
  if (conversation?.state.state !== 'paused_by_operator') {
    throw invalidParams('scope', 'an operator answers only while the conversation is paused', 'scope_not_paused');
  }
  checkTarget(action, scope);
  if (exclusiveReplies) checkHolder(conversation.state, operator.tokenHash);
  return {
    origin: 'operator',
    action,
    operator: operator.tokenHash,
    answersArrival: 'own',
    line: {
      ...(sessionId === undefined ? {} : { sessionId }),
      senderId: `operator:${operator.tokenHash}`,
      sourcePlugin: `intervention:${action.channel}`,
    },
    command: { method, correlationId, paramsSha256 },
  };
}

/**
 * What the operator is told of a message that was admitted.
 * @throws RpcError the errors of the channel
 */
export function operatorAck(command: CommandContext, outcome: OutboundOutcome | { status: 'stopped' }): ProcessingAck {
  command.outcomeIsAudited = true;
  switch (outcome.status) {
    case 'sent':
      return { changed: true, correlation_id: command.correlationId, transcript_stamped: outcome.stamped };
    case 'recalled':
    case 'stopped':
      throw new Error('a reply of an operator is neither recalled nor kept');
    default:
      throw channelError(outcome);
  }
}

/** Whoever answered beside Holdline cannot do so here: any operator may. */
function checkHolder({ operatorTokenHash: holder }: PausedState, operator: string): void {
  if (holder === operator || holder === EXTERNAL_OPERATOR) return;
  throw conflict('held_by_other_operator', 'another operator holds this conversation', {
    operator_token_hash: holder,
  });
}
