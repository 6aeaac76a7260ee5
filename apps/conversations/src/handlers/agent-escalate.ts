import { randomUUID } from 'node:crypto';

import type { AgentEscalateParams, AgentEscalateResult } from '#contracts/agent-escalate.js';
import { conflict } from '#contracts/errors.js';
import { DEFAULT_ESCALATION_URGENCY } from '#contracts/escalation-state.js';
import { ESCALATION_WINDOW_MS } from '#contracts/limits.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { conversationId } from '#domain/conversation/conversation-id.js';
import { decideEscalation } from '#domain/escalation/decide-escalation.js';
import { findEscalationTimes, findPendingEscalation } from '#store/queries/find-escalation.js';
import { insertEscalation } from '#store/queries/insert-escalation.js';
import { insertEvents } from '#store/queries/insert-events.js';
import { insertOutbox } from '#store/queries/insert-outbox.js';
import { type LockedConversation, lockOrCreateConversation } from '#store/queries/lock-conversation.js';
import { type Transaction, withTransaction } from '#store/transaction.js';

import type { AgentRequest } from '../agent/run-agent-request.js';
import { scopeOf } from '../control-state.js';
import type { Dependencies } from '../dependencies.js';
import { timedEventMessages } from '../outbox-messages.js';

/**
 * The agent asks for a person. Nothing changes while one is asked for already or has the conversation.
 * @throws RpcError `conflict: throttled` with `data.retry_after_ms`
 */
export async function agentEscalate(
  deps: Dependencies,
  params: AgentEscalateParams & { scope: ConversationScope },
  { correlationId }: AgentRequest,
): Promise<AgentEscalateResult> {
  const { scope } = params;
  const id = conversationId(scope);
  const changed = await withTransaction(deps.dataSource, async (tx) => {
    const conversation = await lockOrCreateConversation(tx, {
      conversationId: id,
      agentId: scope.agent_id,
      channel: scope.channel,
      accountId: scope.account_id,
      contactId: scope.contact_id,
      mcpChannelSource: scope.mcp_channel_source ?? null,
      sessionId: randomUUID(),
    });
    const [pending, recentMs] = await Promise.all([
      findPendingEscalation(tx, id),
      findEscalationTimes(tx, id, conversation.nowMs - ESCALATION_WINDOW_MS),
    ]);
    const held = conversation.state.state === 'paused_by_operator';
    const context = { held, pending: pending !== undefined, recentMs };
    const decision = decideEscalation(context, conversation.nowMs);
    if (decision.kind === 'throttled') {
      throw conflict('throttled', 'this conversation was escalated too often within an hour', {
        retry_after_ms: decision.retryAfterMs,
      });
    }
    if (decision.kind === 'nothing') return false;
    await request(tx, deps, conversation, params);
    return true;
  });
  if (changed) deps.relay.nudge([id]);
  return { changed, correlation_id: correlationId };
}

async function request(
  tx: Transaction,
  { redactor, escalations }: Dependencies,
  conversation: LockedConversation,
  { reason, urgency = DEFAULT_ESCALATION_URGENCY, ...params }: AgentEscalateParams,
): Promise<void> {
  const { conversationId: id, agentId, nowMs } = conversation;
  const summary = redactor.redactText(params.summary);
  const asked = { scope: scopeOf(conversation), summary, reason, urgency, requested_at_ms: nowMs };
  const event = { kind: 'escalation_requested' as const, agent_id: agentId, ...asked };
  const { stored, rows } = timedEventMessages(id, event, nowMs);
  await Promise.all([
    insertEscalation(tx, {
      escalationId: randomUUID(),
      conversationId: id,
      agentId,
      summary,
      reason,
      urgency,
      context: params.context === undefined ? null : JSON.stringify(redactor.redactJson(params.context)),
      requestedAtMs: nowMs,
      acknowledgeAtMs: escalations.ackText === undefined ? null : nowMs,
    }),
    insertEvents(tx, [stored]),
    insertOutbox(tx, rows),
  ]);
}
