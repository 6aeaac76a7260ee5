import { conflict, notImplemented } from '#contracts/errors.js';
import { IDEMPOTENCY_KEY_TTL_MS } from '#contracts/limits.js';
import type { ProcessingAck } from '#contracts/processing-ack.js';
import type { ProcessingInterventionParams } from '#contracts/processing-intervention.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { contentSha256 } from '#domain/outbound/hashes.js';
import type { Outbound } from '#store/outbound.js';
import { findOutboundByKey, forgetIdempotencyKey } from '#store/queries/find-outbound-by-key.js';
import type { LockedConversation } from '#store/queries/lock-conversation.js';
import type { Transaction } from '#store/transaction.js';

import type { CommandContext } from '../commands/command-context.js';
import type { Dependencies } from '../dependencies.js';
import { checkReply } from '../outbound/check-reply.js';
import { admitOperatorReply, operatorAck, type OperatorReply } from '../outbound/operator-reply.js';
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
  return operatorAck(command, outcome);
}

async function admit(
  tx: Transaction,
  deps: Dependencies,
  { key, ...reply }: OperatorReply & { key: string | undefined },
  command: CommandContext,
  conversation: LockedConversation | undefined,
): Promise<Admission<never>> {
  const { operator } = command;
  const content = contentSha256(reply.action);
  const earlier =
    key === undefined || conversation === undefined ? undefined : await earlierReply(tx, conversation, operator, key);
  if (earlier?.contentSha256?.equals(content)) {
    await command.audit(tx, { scope: reply.scope, changed: false, reason: 'repeated' });
    return { kind: 'repeat', outboundId: earlier.outboundId };
  }
  const outbound = admitOperatorReply(deps, conversation, reply, command);
  if (earlier !== undefined) {
    throw conflict('idempotency_key_reused', 'this idempotency_key belongs to another action');
  }
  return {
    kind: 'send',
    outbound: { ...outbound, ...(key === undefined ? {} : { idempotency: { key, contentSha256: content } }) },
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
