import { conflict } from '#contracts/errors.js';
import type { ProcessingAck } from '#contracts/processing-ack.js';
import type { ProcessingResumeParams } from '#contracts/processing-resume.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { checkSummary } from '#contracts/summary.js';
import { conversationId } from '#domain/conversation/conversation-id.js';
import { decide } from '#domain/conversation/decide.js';
import { lockConversation } from '#store/queries/lock-conversation.js';
import { withTransaction } from '#store/transaction.js';

import type { CommandContext } from '../commands/command-context.js';
import type { Dependencies } from '../dependencies.js';
import { handBack } from '../hand-back.js';

/**
 * Hands a conversation back to its agent: what waited is stamped with its own times, then the summary, and one turn
 * asks for all of it. Nothing of this waits for the broker: the outbox brings the turn.
 * @throws RpcError the named errors of the summary; `conflict: stale_epoch`
 */
export async function resume(
  deps: Dependencies,
  params: ProcessingResumeParams & { scope: ConversationScope },
  command: CommandContext,
): Promise<ProcessingAck> {
  checkSummary(params);
  const { scope } = params;
  const id = conversationId(scope);

  const ack = await withTransaction(deps.dataSource, async (tx): Promise<ProcessingAck> => {
    const conversation = await lockConversation(tx, id);
    const state = conversation?.state ?? { state: 'agent_active', epoch: 0 };
    const decision = decide(state, { kind: 'resume', expectedEpoch: params.expected_epoch }, conversation?.nowMs ?? 0);
    if (decision.kind === 'stale_epoch') {
      throw conflict('stale_epoch', `the conversation is at epoch ${state.epoch}`, { epoch: state.epoch });
    }
    const resumed = conversation !== undefined && decision.kind === 'resumed';
    await command.audit(tx, { scope, changed: resumed });
    if (!resumed) {
      return { changed: false, correlation_id: command.correlationId, drained_pending: 0, epoch: state.epoch };
    }
    const { drained, stamped } = await handBack(tx, deps, conversation, decision.next, {
      by: command.operator.tokenHash,
      sessionId: params.session_id,
      summary: params.summary_for_agent,
    });
    return {
      changed: true,
      correlation_id: command.correlationId,
      ...(stamped > 0 ? { transcript_stamped: true } : {}),
      drained_pending: drained,
      epoch: decision.next.epoch,
    };
  });

  if (ack.changed) deps.relay.nudge([id]);
  return ack;
}
