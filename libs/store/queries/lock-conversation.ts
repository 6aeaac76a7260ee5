import type { ConversationState } from '#domain/conversation/decide.js';

import { CONVERSATION_STATE_COLUMNS, type ConversationStateRow, toConversationState } from '../conversation-state.js';
import type { Transaction } from '../transaction.js';
import type { ConversationToLock } from './lock-conversations.js';

/** A conversation as a command sees it, locked until the transaction ends. */
export interface LockedConversation {
  conversationId: string;
  agentId: string;
  channel: string;
  accountId: string;
  contactId: string;
  mcpChannelSource: string | null;
  sessionId: string;
  state: ConversationState;
  /** Arrivals from this number on came after the pause; null while active. */
  pausedArrival: number | null;
  /** Turns of inbounds that arrived up to this number are of an older epoch; -1 if it was never handed back. */
  resumedArrival: number;
  /** Whatever arrived up to this number is answered, or needs no answer; -1 if nothing is. */
  answeredArrival: number;
  /** The last inbound of the newest turn that the agent has answered; -1 if there is none. */
  agentAnsweredArrival: number;
  /** The number that the last reply of an operator took; -1 if there is none. */
  operatorAnsweredArrival: number;
  bufferHead: number;
  bufferTail: number;
  takenBack: number;
  /** The database's clock, read after the lock was had. */
  nowMs: number;
  /** The first of this transaction's numbers of arrival. */
  firstArrival: number;
}

interface Row extends ConversationStateRow {
  conversation_id: string;
  agent_id: string;
  channel: string;
  account_id: string;
  contact_id: string;
  mcp_channel_source: string | null;
  session_id: string;
  paused_arrival: string | null;
  resumed_arrival: string;
  answered_arrival: string;
  agent_answered_arrival: string;
  operator_answered_arrival: string;
  buffer_head: string;
  buffer_tail: string;
  taken_back: string;
  now_ms: string;
  first_arrival: string;
}

/** The select list is evaluated after the row was locked, so that clock and number follow the lock's order. */
const LOCK_CONVERSATION = {
  name: 'lock-conversation',
  text: `
    SELECT c.*, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms, nextval('arrivals') AS first_arrival
    FROM (
      SELECT conversation_id, agent_id, channel, account_id, contact_id, mcp_channel_source, session_id,
        ${CONVERSATION_STATE_COLUMNS}, paused_arrival, resumed_arrival, answered_arrival, agent_answered_arrival,
        operator_answered_arrival, buffer_head, buffer_tail, taken_back
      FROM conversations WHERE conversation_id = $1 FOR UPDATE
    ) AS c`,
};

const CREATE_CONVERSATION = {
  name: 'create-conversation',
  text: `
    INSERT INTO conversations
      (conversation_id, agent_id, channel, account_id, contact_id, mcp_channel_source, session_id, last_activity_ms)
    VALUES ($1, $2, $3, $4, $5, $6, $7, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    ON CONFLICT (conversation_id) DO NOTHING`,
};

/** Locks a conversation; undefined if Holdline has never seen it. */
export async function lockConversation(
  tx: Transaction,
  conversationId: string,
): Promise<LockedConversation | undefined> {
  const [row] = await tx.rows<Row>(LOCK_CONVERSATION, [conversationId]);
  return row && fromRow(row);
}

/** Locks a conversation, and creates it first, active, if Holdline has never seen it. */
export async function lockOrCreateConversation(
  tx: Transaction,
  conversation: ConversationToLock,
): Promise<LockedConversation> {
  const known = await lockConversation(tx, conversation.conversationId);
  if (known) return known;
  await tx.rows(CREATE_CONVERSATION, [
    conversation.conversationId,
    conversation.agentId,
    conversation.channel,
    conversation.accountId,
    conversation.contactId,
    conversation.mcpChannelSource,
    conversation.sessionId,
  ]);
  const created = await lockConversation(tx, conversation.conversationId);
  if (!created) throw new Error(`conversation ${conversation.conversationId} vanished while it was being created`);
  return created;
}

function fromRow(row: Row): LockedConversation {
  return {
    conversationId: row.conversation_id,
    agentId: row.agent_id,
    channel: row.channel,
    accountId: row.account_id,
    contactId: row.contact_id,
    mcpChannelSource: row.mcp_channel_source,
    sessionId: row.session_id,
    state: toConversationState(row),
    pausedArrival: row.paused_arrival === null ? null : Number(row.paused_arrival),
    resumedArrival: Number(row.resumed_arrival),
    answeredArrival: Number(row.answered_arrival),
    agentAnsweredArrival: Number(row.agent_answered_arrival),
    operatorAnsweredArrival: Number(row.operator_answered_arrival),
    bufferHead: Number(row.buffer_head),
    bufferTail: Number(row.buffer_tail),
    takenBack: Number(row.taken_back),
    nowMs: Number(row.now_ms),
    firstArrival: Number(row.first_arrival),
  };
}
