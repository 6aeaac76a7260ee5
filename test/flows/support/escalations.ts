import type { NatsConnection } from '@nats-io/nats-core';

import type { AgentEscalateParams, AgentEscalateResult } from '#contracts/agent-escalate.js';
import type { EscalationState } from '#contracts/escalation-state.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { conversationId } from '#domain/conversation/conversation-id.js';
import { callMethod } from '#sdk/call-method.js';
import type { OperatorClient } from '#sdk/operator-client.js';

import type { TestDatabase } from '../../harness/postgres.js';

/** An agent asks for a person. */
export function escalate(
  nc: NatsConnection,
  scope: ConversationScope,
  more: Partial<AgentEscalateParams> = {},
): Promise<AgentEscalateResult> {
  return callMethod(nc, 'nexo/agent/escalate', { scope, summary: 'She is angry.', reason: 'complaint', ...more });
}

/** The newest escalation of a conversation; undefined if there was none. */
export async function escalationOf(
  operator: OperatorClient,
  { agent_id, contact_id }: ConversationScope,
): Promise<EscalationState | undefined> {
  const { entries } = await operator.escalations.list({ filter: 'all', agent_id, limit: 1_000 });
  return entries.find(({ scope }) => scope.kind === 'conversation' && scope.contact_id === contact_id)?.state;
}

/** Moves all that was escalated in a conversation back in time: the database's clock is the one that counts. */
export async function age(database: TestDatabase, scope: ConversationScope, ms: number): Promise<void> {
  await database.query(
    `UPDATE escalations SET requested_at_ms = requested_at_ms - $2, acknowledge_at_ms = acknowledge_at_ms - $2
     WHERE conversation_id = $1`,
    [conversationId(scope), ms],
  );
}
