import type { AgentReplyResult } from '#contracts/agent-reply.js';
import type { ReplyAction } from '#contracts/intervention-action.js';
import type { ParamsOf } from '#contracts/methods.js';
import type { ProcessingAck } from '#contracts/processing-ack.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import type { Turn } from '#contracts/turn.js';
import { conversationId } from '#domain/conversation/conversation-id.js';

import type { TestClient } from '../../harness/client.js';
import type { TestDatabase } from '../../harness/postgres.js';

/** A reply to the contact of a conversation. */
export function reply(scope: ConversationScope, more: Partial<ReplyAction> = {}): ReplyAction {
  return {
    kind: 'reply',
    channel: scope.channel,
    account_id: scope.account_id,
    to: scope.contact_id,
    body: 'Good morning',
    msg_kind: 'text',
    ...more,
  };
}

/** The agent answers a turn. */
export function answer(
  client: TestClient,
  turn: Turn,
  action: Partial<ReplyAction> = {},
  more: Partial<ParamsOf<'nexo/agent/reply'>> = {},
): Promise<AgentReplyResult> {
  const { turn_id, epoch, scope } = turn;
  return client.ask('nexo/agent/reply', { turn_id, epoch, scope, action: reply(scope, action), ...more }, 30_000);
}

/** An operator replies. */
export function intervene(
  client: TestClient,
  scope: ConversationScope,
  more: Partial<ParamsOf<'nexo/admin/processing/intervention'>> = {},
  timeoutMs = 30_000,
): Promise<ProcessingAck> {
  return client.call('nexo/admin/processing/intervention', { scope, action: reply(scope), ...more }, timeoutMs);
}

/** A message to the contact, as it is stored. */
export interface StoredOutbound {
  outbound_id: string;
  origin: string;
  status: string;
  body: string;
  reason: string | null;
  delivery: string | null;
}

/** All messages of a conversation, in order of arrival. */
export function outboundsOf(database: TestDatabase, scope: ConversationScope): Promise<StoredOutbound[]> {
  return database.query<StoredOutbound & Record<string, unknown>>(
    `SELECT outbound_id, origin, status, body, reason, delivery FROM outbounds
     WHERE conversation_id = $1 ORDER BY arrival`,
    [conversationId(scope)],
  );
}

/** What is audited of the interventions in a conversation, oldest first. */
export function auditedReplies(
  database: TestDatabase,
  scope: ConversationScope,
): Promise<{ outcome: string; changed: boolean; reason: string | null }[]> {
  return database.query(
    `SELECT outcome, changed, reason FROM audit_log
     WHERE method = 'nexo/admin/processing/intervention' AND scope::json ->> 'contact_id' = $1 ORDER BY id`,
    [scope.contact_id],
  );
}
