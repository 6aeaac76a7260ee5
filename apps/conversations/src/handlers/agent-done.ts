import type { AgentDoneParams, AgentDoneResult } from '#contracts/agent-done.js';
import type { TurnFailedEvent } from '#contracts/agent-event.js';
import { notFound } from '#contracts/errors.js';
import { turnFailureId } from '#domain/conversation/conversation-id.js';
import { isOpen } from '#domain/conversation/turn-standing.js';
import { eventExists } from '#store/queries/event-exists.js';
import { findTurn } from '#store/queries/find-turn.js';
import { insertEvents } from '#store/queries/insert-events.js';
import { insertOutbox } from '#store/queries/insert-outbox.js';
import { lockConversation } from '#store/queries/lock-conversation.js';
import { markAnswered } from '#store/queries/mark-answered.js';
import { type Transaction, withTransaction } from '#store/transaction.js';

import { scopeOf } from '../control-state.js';
import type { Dependencies } from '../dependencies.js';

/**
 * The agent has nothing to say to a turn, which answers it; or it gave up, which leaves the turn open and is told
 * once. A turn that is not open any more stays as it is.
 * @throws RpcError `not_found: unknown_turn`
 */
export async function agentDone(deps: Dependencies, params: AgentDoneParams): Promise<AgentDoneResult> {
  const { turn_id, outcome } = params;
  const { changed, conversationId } = await withTransaction(deps.dataSource, async (tx) => {
    const turn = await findTurn(tx, turn_id);
    const conversation = turn && (await lockConversation(tx, turn.conversationId));
    if (turn === undefined || conversation === undefined) throw notFound('unknown_turn', `there is no turn ${turn_id}`);
    const { conversationId } = conversation;
    if (!isOpen(conversation, turn)) return { changed: false, conversationId };
    if (outcome === 'nothing_to_say') {
      await markAnswered(tx, conversationId, { by: 'agent', arrival: turn.lastArrival });
      return { changed: true, conversationId };
    }
    const event: TurnFailedEvent = {
      kind: 'turn_failed',
      event_id: turnFailureId(turn_id),
      agent_id: conversation.agentId,
      at_ms: conversation.nowMs,
      scope: scopeOf(conversation),
      turn_id,
      ...(params.detail === undefined ? {} : { detail: deps.redactor.redactText(params.detail) }),
    };
    return { changed: await tellOnce(tx, conversationId, event), conversationId };
  });
  if (changed) deps.relay.nudge([conversationId]);
  return { changed };
}

async function tellOnce(tx: Transaction, orderingKey: string, event: TurnFailedEvent): Promise<boolean> {
  const { event_id: eventId, agent_id: agentId, kind, at_ms: atMs } = event;
  if (await eventExists(tx, eventId)) return false;
  await Promise.all([
    insertEvents(tx, [{ eventId, agentId, kind, atMs, payload: JSON.stringify(event) }]),
    insertOutbox(tx, [{ orderingKey, kind: 'event', eventId }]),
  ]);
  return true;
}
