import type { Reader } from '../read.js';
import type { BufferedInbound } from './buffer-inbounds.js';

/** An inbound of a buffer, as far as it is shown. */
export type ShownInbound = Pick<
  BufferedInbound,
  'messageId' | 'fromContactId' | 'body' | 'timestampMs' | 'sourcePlugin' | 'attachments'
>;

export interface Pending {
  depth: number;
  /** What waits, in the order in which it will be handed back. */
  waiting: ShownInbound[];
  /** Oldest first. */
  evicted: (ShownInbound & { evictedAtMs: number })[];
}

interface Row {
  depth: string;
  evicted: boolean | null;
  message_id: string | null;
  from_contact_id: string;
  body: string;
  timestamp_ms: string;
  source_plugin: string;
  attachments: string | null;
  evicted_at_ms: string;
}

export interface PendingQuestion {
  conversationId: string;
  includeEvicted: boolean;
  /** Of what waits and of what was evicted, the newest are given that hold this many bytes of text. */
  maxBytes: number;
  /** Most evicted inbounds. */
  maxEvicted: number;
}

const COLUMNS = 'position, message_id, from_contact_id, body, timestamp_ms, source_plugin, attachments';
const SIZE = 'octet_length(body) + coalesce(octet_length(attachments), 0)';

/**
 * One statement, so that depth and inbounds are of one moment. An inbound was evicted when the first one after it
 * arrived that moved the head past it.
 */
const FIND_PENDING = {
  name: 'find-pending',
  text: `
    SELECT c.taken_back + c.buffer_tail - c.buffer_head AS depth, shown.*
    FROM conversations AS c
    LEFT JOIN LATERAL (
      SELECT false AS evicted, ${COLUMNS}, NULL::bigint AS evicted_at_ms
      FROM (
        SELECT ${COLUMNS}, sum(${SIZE}) OVER (ORDER BY position DESC) - (${SIZE}) AS bytes_after
        FROM (
          SELECT ${COLUMNS} FROM buffered_inbounds
          WHERE conversation_id = c.conversation_id AND position >= c.buffer_head AND NOT drained
          UNION ALL
          SELECT ${COLUMNS} FROM buffered_inbounds
          WHERE c.taken_back > 0 AND conversation_id = c.conversation_id AND position < c.buffer_head
            AND taken_back AND NOT drained
        ) AS waiting
      ) AS sized
      WHERE bytes_after < $3
      UNION ALL
      SELECT true, ${COLUMNS}, (
          SELECT by.buffered_at_ms FROM buffered_inbounds AS by
          WHERE by.conversation_id = $1 AND by.position >= sized.position AND by.evicts_below > sized.position
          ORDER BY by.position
          LIMIT 1
        )
      FROM (
        SELECT ${COLUMNS}, sum(${SIZE}) OVER (ORDER BY position DESC) - (${SIZE}) AS bytes_after
        FROM (
          SELECT ${COLUMNS} FROM buffered_inbounds
          WHERE $2 AND conversation_id = c.conversation_id AND position < c.buffer_head
            AND NOT taken_back AND NOT drained
          ORDER BY position DESC
          LIMIT $4
        ) AS evicted
      ) AS sized
      WHERE bytes_after < $3
    ) AS shown ON true
    WHERE c.conversation_id = $1
    ORDER BY shown.evicted, shown.position`,
};

/** What a conversation's buffer holds; undefined if Holdline has never seen the conversation. */
export async function findPending(reader: Reader, question: PendingQuestion): Promise<Pending | undefined> {
  const { conversationId, includeEvicted, maxBytes, maxEvicted } = question;
  const rows = await reader.rows<Row>(FIND_PENDING, [conversationId, includeEvicted, maxBytes, maxEvicted]);
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    depth: Number(first.depth),
    waiting: rows.filter((row) => row.evicted === false).map(toInbound),
    evicted: rows
      .filter((row) => row.evicted === true)
      .map((row) => ({ ...toInbound(row), evictedAtMs: Number(row.evicted_at_ms) })),
  };
}

function toInbound(row: Row): ShownInbound {
  return {
    messageId: row.message_id,
    fromContactId: row.from_contact_id,
    body: row.body,
    timestampMs: Number(row.timestamp_ms),
    sourcePlugin: row.source_plugin,
    attachments: row.attachments,
  };
}
