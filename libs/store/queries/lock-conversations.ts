import { texts, uuids } from '../columns.js';
import type { Transaction } from '../transaction.js';

/** A conversation to lock; `sessionId` is taken only if the conversation does not exist yet. */
export interface ConversationToLock {
  conversationId: string;
  agentId: string;
  channel: string;
  accountId: string;
  contactId: string;
  mcpChannelSource: string | null;
  sessionId: string;
}

export interface LockedForInbounds {
  conversationId: string;
  sessionId: string;
  epoch: number;
  paused: boolean;
  bufferHead: number;
  bufferTail: number;
}

interface Row {
  conversation_id: string;
  session_id: string;
  epoch: string;
  paused: boolean;
  buffer_head: string;
  buffer_tail: string;
}

const LOCKED = `c.conversation_id, c.session_id, c.epoch, c.state = 'paused_by_operator' AS paused, c.buffer_head, c.buffer_tail`;

/** An update locks a row that exists for less than the insert with a conflict does, and nearly all of them exist. */
const LOCK_CONVERSATIONS = {
  name: 'lock-conversations',
  text: `
    WITH wanted AS (
      SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[])
        AS w (conversation_id, agent_id, channel, account_id, contact_id, mcp_channel_source, session_id)
    ), known AS (
      UPDATE conversations AS c SET last_activity_ms = greatest(c.last_activity_ms, $8::bigint)
      FROM wanted WHERE c.conversation_id = wanted.conversation_id
      RETURNING ${LOCKED}
    ), created AS (
      INSERT INTO conversations AS c
        (conversation_id, agent_id, channel, account_id, contact_id, mcp_channel_source, session_id, last_activity_ms)
      SELECT wanted.*, $8::bigint FROM wanted
      WHERE NOT EXISTS (SELECT FROM known WHERE known.conversation_id = wanted.conversation_id)
      ON CONFLICT (conversation_id) DO UPDATE
        SET last_activity_ms = greatest(c.last_activity_ms, excluded.last_activity_ms)
      RETURNING ${LOCKED}
    )
    SELECT * FROM known UNION ALL SELECT * FROM created`,
};

/**
 * Locks the conversations of a batch until the transaction ends, creates the missing ones as active, and notes the
 * activity. Give them in key order, so that two batches cannot wait for each other.
 */
export async function lockConversations(
  tx: Transaction,
  conversations: ConversationToLock[],
  activityMs: number,
): Promise<LockedForInbounds[]> {
  const rows = await tx.rows<Row>(LOCK_CONVERSATIONS, [
    uuids(conversations, (each) => each.conversationId),
    texts(conversations, (each) => each.agentId),
    texts(conversations, (each) => each.channel),
    texts(conversations, (each) => each.accountId),
    texts(conversations, (each) => each.contactId),
    texts(conversations, (each) => each.mcpChannelSource),
    uuids(conversations, (each) => each.sessionId),
    activityMs,
  ]);
  return rows.map((row) => ({
    conversationId: row.conversation_id,
    sessionId: row.session_id,
    epoch: Number(row.epoch),
    paused: row.paused,
    bufferHead: Number(row.buffer_head),
    bufferTail: Number(row.buffer_tail),
  }));
}
