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

const LOCK_KNOWN = {
  name: 'lock-known-conversations',
  text: `
    UPDATE conversations AS c SET last_activity_ms = greatest(c.last_activity_ms, $2::bigint)
    FROM unnest($1::uuid[]) AS wanted (conversation_id) WHERE c.conversation_id = wanted.conversation_id
    RETURNING ${LOCKED}`,
};

const CREATE_MISSING = {
  name: 'create-missing-conversations',
  text: `
    INSERT INTO conversations AS c
      (conversation_id, agent_id, channel, account_id, contact_id, mcp_channel_source, session_id, last_activity_ms)
    SELECT missing.*, $8::bigint
    FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[]) AS missing
    ON CONFLICT (conversation_id) DO UPDATE
      SET last_activity_ms = greatest(c.last_activity_ms, excluded.last_activity_ms)
    RETURNING ${LOCKED}`,
};

/**
 * Locks the conversations of a batch until the transaction ends, creates the missing ones as active, and notes the
 * activity. Give them in key order, so that two batches cannot wait for each other. Nearly all of them exist, and to
 * lock by an update takes less than by an insert with a conflict.
 */
export async function lockConversations(
  tx: Transaction,
  conversations: ConversationToLock[],
  activityMs: number,
): Promise<LockedForInbounds[]> {
  const known = await tx.rows<Row>(LOCK_KNOWN, [uuids(conversations, (each) => each.conversationId), activityMs]);
  const locked = known.map(toLocked);
  if (locked.length === conversations.length) return locked;
  const found = new Set(locked.map((each) => each.conversationId));
  const missing = conversations.filter((each) => !found.has(each.conversationId));
  const created = await tx.rows<Row>(CREATE_MISSING, [
    uuids(missing, (each) => each.conversationId),
    texts(missing, (each) => each.agentId),
    texts(missing, (each) => each.channel),
    texts(missing, (each) => each.accountId),
    texts(missing, (each) => each.contactId),
    texts(missing, (each) => each.mcpChannelSource),
    uuids(missing, (each) => each.sessionId),
    activityMs,
  ]);
  return [...locked, ...created.map(toLocked)];
}

function toLocked(row: Row): LockedForInbounds {
  return {
    conversationId: row.conversation_id,
    sessionId: row.session_id,
    epoch: Number(row.epoch),
    paused: row.paused,
    bufferHead: Number(row.buffer_head),
    bufferTail: Number(row.buffer_tail),
  };
}
