import { conflict, invalidParams, notImplemented } from '#contracts/errors.js';
import type { ReplyAction } from '#contracts/intervention-action.js';
import { IDEMPOTENCY_KEY_TTL_MS } from '#contracts/limits.js';
import type { ProcessingAck } from '#contracts/processing-ack.js';
import type { ProcessingInterventionParams } from '#contracts/processing-intervention.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { EXTERNAL_OPERATOR, type PausedState } from '#domain/conversation/decide.js';
import { contentSha256 } from '#domain/outbound/hashes.js';
import type { Outbound } from '#store/outbound.js';
import { findOutboundByKey, forgetIdempotencyKey } from '#store/queries/find-outbound-by-key.js';
import type { LockedConversation } from '#store/queries/lock-conversation.js';
import type { Transaction } from '#store/transaction.js';

import type { CommandContext } from '../commands/command-context.js';
import type { Dependencies } from '../dependencies.js';
import { channelError } from '../outbound/channel-error.js';
import { checkReply } from '../outbound/check-reply.js';
import { checkTarget } from '../outbound/check-target.js';
import { type Admission, sendOutbound } from '../outbound/send-outbound.js';

/**
 * An operator answers the contact of a conversation that is paused. The state stays as it is.
 * @throws RpcError `scope_not_paused`, `target_mismatch`, `conflict` with `held_by_other_operator` or
 * `idempotency_key_reused`, and the errors of the channel
 */
export async function intervene(
  deps: Dependencies,
  params: ProcessingInterventionParams & { scope: ConversationScope },
  command: CommandContext,
): Promise<ProcessingAck> {
  const { scope, action, session_id: sessionId, idempotency_key: key } = params;
  if (action.kind !== 'reply') throw notImplemented(`the action ${action.kind}`);
  checkReply(action);
  const { correlationId } = command;

  const outcome = await sendOutbound(deps, {
    outboundId: correlationId,
    scope,
    admit: (tx, conversation) => admit(tx, deps, { scope, action, sessionId, key }, command, conversation),
  });
  command.outcomeIsAudited = true;
  if (outcome.status === 'sent') {
    return { changed: true, correlation_id: correlationId, transcript_stamped: outcome.stamped };
  }
  if (outcome.status === 'recalled' || outcome.status === 'stopped') {
    throw new Error('a reply of an operator is neither recalled nor kept');
  }
  throw channelError(outcome);
}

interface Reply {
  scope: ConversationScope;
  action: ReplyAction;
  sessionId: string | undefined;
  key: string | undefined;
}

async function admit(
  tx: Transaction,
  deps: Dependencies,
  { scope, action, sessionId, key }: Reply,
  command: CommandContext,
  conversation: LockedConversation | undefined,
): Promise<Admission<never>> {
  const { correlationId, method, operator, paramsSha256 } = command;
  const content = contentSha256(action);
  const earlier =
    key === undefined || conversation === undefined ? undefined : await earlierReply(tx, conversation, operator, key);
  if (earlier?.contentSha256?.equals(content)) {
    await command.audit(tx, { scope, changed: false, reason: 'repeated' });
    return { kind: 'repeat', outboundId: earlier.outboundId };
  }
  if (conversation?.state.state !== 'paused_by_operator') {
    throw invalidParams('scope', 'an operator answers only while the conversation is paused', 'scope_not_paused');
  }
  checkTarget(action, scope);
  if (deps.exclusiveReplies) checkHolder(conversation.state, operator.tokenHash);
  if (earlier !== undefined) {
    throw conflict('idempotency_key_reused', 'this idempotency_key belongs to another action');
  }
  return {
    kind: 'send',
    outbound: {
      origin: 'operator',
      action,
      operator: operator.tokenHash,
      answersArrival: 'own',
      line: {
        ...(sessionId === undefined ? {} : { sessionId }),
        senderId: `operator:${operator.tokenHash}`,
        sourcePlugin: `intervention:${action.channel}`,
      },
      ...(key === undefined ? {} : { idempotency: { key, contentSha256: content } }),
      command: { method, correlationId, paramsSha256 },
    },
  };
}

/** What the operator sent under the key within its time; a key that is over is free again. */
async function earlierReply(
  tx: Transaction,
  { conversationId, nowMs }: LockedConversation,
  { tokenHash: operator }: { tokenHash: string },
  key: string,
): Promise<Outbound | undefined> {
  const earlier = await findOutboundByKey(tx, { conversationId, operator, key });
  if (earlier === undefined || earlier.createdAtMs > nowMs - IDEMPOTENCY_KEY_TTL_MS) return earlier;
  await forgetIdempotencyKey(tx, earlier.outboundId);
  return undefined;
}

/** Whoever answered beside Holdline cannot do so here: any operator may. */
function checkHolder({ operatorTokenHash: holder }: PausedState, operator: string): void {
  if (holder === operator || holder === EXTERNAL_OPERATOR) return;
  throw conflict('held_by_other_operator', 'another operator holds this conversation', {
    operator_token_hash: holder,
  });
}
