import { randomUUID } from 'node:crypto';

import { unavailable } from '#contracts/errors.js';
import { HOLD_TIMEOUT_MS } from '#contracts/limits.js';
import type { ProcessingAck } from '#contracts/processing-ack.js';
import type { ProcessingPauseParams } from '#contracts/processing-pause.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { conversationId } from '#domain/conversation/conversation-id.js';
import { decide, type PausedState } from '#domain/conversation/decide.js';
import { bufferInbounds } from '#store/queries/buffer-inbounds.js';
import { insertEvents } from '#store/queries/insert-events.js';
import { insertOutbox, type NewOutboxRow } from '#store/queries/insert-outbox.js';
import { type LockedConversation, lockOrCreateConversation } from '#store/queries/lock-conversation.js';
import { lockOutbox } from '#store/queries/lock-outbox.js';
import { type TakenBackInbound, takeBackTurns } from '#store/queries/take-back-turns.js';
import { updateConversation } from '#store/queries/update-conversation.js';
import { type Transaction, withTransaction } from '#store/transaction.js';

import type { CommandContext } from '../commands/command-context.js';
import { stateChanged } from '../control-state.js';
import type { Dependencies } from '../dependencies.js';
import { endEscalation } from '../escalations/end-escalation.js';
import { keepDraft } from '../drafts/keep-draft.js';
import { recallUnsent } from '../outbound/recall-unsent.js';
import { eventRow, holdRow } from '../outbox-messages.js';
import { transcriptAppended } from '../transcript-appended.js';

/**
 * Puts the agent of a conversation on hold. The answer waits until the Hold is in the turn stream; a pause of a paused
 * conversation changes nothing and waits for that Hold all the same.
 * @throws RpcError `unavailable` with `data.committed` if the Hold did not get there in time
 */
export async function pause(
  deps: Dependencies,
  params: ProcessingPauseParams & { scope: ConversationScope },
  command: CommandContext,
): Promise<ProcessingAck> {
  const { scope } = params;
  const id = conversationId(scope);
  const reason = params.reason === undefined ? undefined : deps.redactor.redactText(params.reason);

  const { changed, epoch } = await withTransaction(deps.dataSource, async (tx) => {
    const conversation = await lockOrCreateConversation(tx, {
      conversationId: id,
      agentId: scope.agent_id,
      channel: scope.channel,
      accountId: scope.account_id,
      contactId: scope.contact_id,
      mcpChannelSource: scope.mcp_channel_source ?? null,
      sessionId: randomUUID(),
    });
    const decision = decide(
      conversation.state,
      {
        kind: 'pause',
        operatorTokenHash: command.operator.tokenHash,
        reason,
        autoResumeAfterMs: params.auto_resume_after_ms,
        takeOver: params.take_over ?? false,
      },
      conversation.nowMs,
    );
    if (decision.kind === 'paused') await hold(tx, conversation, decision.next, scope, command);
    if (decision.kind === 'taken_over') await takeOver(tx, conversation, decision.next, scope, command);
    const changes = decision.kind === 'paused' || decision.kind === 'taken_over';
    await command.audit(tx, { scope, changed: changes });
    return { changed: changes, epoch: changes ? decision.next.epoch : conversation.state.epoch };
  });

  if (!(await deps.relay.publishNow(id, HOLD_TIMEOUT_MS))) {
    throw unavailable('the conversation is paused, but the broker has not taken the Hold yet; ask again', {
      committed: true,
    });
  }
  return { changed, correlation_id: command.correlationId, epoch };
}

/**
 * Turns that were committed and not yet published go back to the buffer's head, where nothing evicts them; what the
 * agent said and no channel was asked to send becomes drafts.
 */
export async function hold(
  tx: Transaction,
  conversation: LockedConversation,
  next: PausedState,
  scope: ConversationScope,
  command: Pick<CommandContext, 'operator'>,
): Promise<void> {
  const id = conversation.conversationId;
  await lockOutbox(tx, id);
  const [takenBack, recalled] = await Promise.all([takeBackTurns(tx, id), recallUnsent(tx, id)]);
  // A relay that ended before it knew of a publish leaves a turn here that the agent may have answered.
  const waiting = takenBack.filter((inbound) => inbound.arrival > conversation.agentAnsweredArrival);
  const head = conversation.bufferTail + waiting.length;
  const changed = stateChanged(conversation, next, scope, command.operator.tokenHash);
  await Promise.all([
    bufferInbounds(
      tx,
      waiting.map((inbound, index) => ({
        ...inbound,
        conversationId: id,
        position: conversation.bufferTail + index,
        takenBack: true,
        evictsBelow: 0,
        bufferedAtMs: conversation.nowMs,
      })),
    ),
    updateConversation(tx, {
      conversationId: id,
      state: next,
      pausedArrival: conversation.firstArrival,
      resumedArrival: conversation.resumedArrival,
      sessionId: conversation.sessionId,
      bufferHead: head,
      bufferTail: head,
      takenBack: waiting.length,
      nowMs: conversation.nowMs,
    }),
    insertEvents(tx, [changed.stored]),
    insertOutbox(tx, [...untoldEvents(takenBack, scope, id), holdRow(id, scope, next.epoch), ...changed.rows]),
  ]);
  await endEscalation(tx, conversation, { kind: 'operator_takeover' });
  for (const reply of recalled) await keepDraft(tx, conversation, { ...reply, reason: 'paused' });
}

/** Turns go back, but that their inbounds were stamped is still to be told. */
function untoldEvents(takenBack: TakenBackInbound[], scope: ConversationScope, orderingKey: string): NewOutboxRow[] {
  return takenBack.flatMap((inbound) => {
    if (inbound.eventId === null) return [];
    const { eventId, sessionId, body, sourcePlugin, messageId, fromContactId, timestampMs } = inbound;
    const line = { eventId, sessionId, body, sourcePlugin, messageId, agentId: scope.agent_id, role: 'user' as const };
    const event = transcriptAppended(
      { ...line, sentAtMs: timestampMs, senderId: fromContactId, replayed: false },
      inbound.entrySeq,
    );
    return [eventRow(orderingKey, event)];
  });
}

/** The hold moves to another operator; the agent has been told already. */
async function takeOver(
  tx: Transaction,
  conversation: LockedConversation,
  next: PausedState,
  scope: ConversationScope,
  command: CommandContext,
): Promise<void> {
  const changed = stateChanged(conversation, next, scope, command.operator.tokenHash);
  await Promise.all([
    updateConversation(tx, { ...conversation, state: next }),
    insertEvents(tx, [changed.stored]),
    insertOutbox(tx, changed.rows),
  ]);
}
