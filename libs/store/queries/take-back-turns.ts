import type { Transaction } from '../transaction.js';

/** An inbound of a turn that was committed but not yet published. It has been stamped at (sessionId, entrySeq). */
export interface TakenBackInbound {
  inboundId: string;
  arrival: number;
  sessionId: string;
  entrySeq: number;
  messageId: string | null;
  fromContactId: string;
  body: string;
  timestampMs: number;
  sourcePlugin: string;
  attachments: string | null;
  /** The event of its line, which was to be published with the turn; null if that has been done. */
  eventId: string | null;
}

interface Row {
  inbound_id: string;
  arrival: string;
  session_id: string;
  entry_seq: string;
  message_id: string | null;
  from_contact_id: string;
  body: string;
  timestamp_ms: string;
  source_plugin: string;
  attachments: string | null;
  event_id: string | null;
}

const TAKE_BACK_TURNS = {
  name: 'take-back-turns',
  text: `
    WITH taken AS (
      DELETE FROM outbox WHERE ordering_key = $1 AND kind = 'turn'
      RETURNING coalesce(inbound_ids, ARRAY[inbound_id]) AS inbound_ids, inbound_id
    )
    SELECT i.inbound_id, i.arrival, e.session_id, e.seq AS entry_seq, e.message_id,
      e.sender_id AS from_contact_id, e.body, e.sent_at_ms AS timestamp_ms, e.source_plugin, e.attachments,
      CASE WHEN taken.inbound_id IS NOT NULL THEN e.event_id END AS event_id
    FROM taken CROSS JOIN LATERAL unnest(taken.inbound_ids) AS t (inbound_id)
    JOIN inbounds AS i ON i.inbound_id = t.inbound_id
    JOIN conversations AS c ON c.conversation_id = i.conversation_id
    JOIN entries AS e ON e.session_id = i.session_id AND e.seq = i.entry_seq AND e.agent_id = c.agent_id
    ORDER BY i.arrival`,
};

/**
 * Removes the unpublished turns of a conversation and gives back what they were to answer, in order of arrival. The
 * caller holds the conversation and its outbox (`lockOutbox`), so that no turn is on its way meanwhile.
 */
export async function takeBackTurns(tx: Transaction, conversationId: string): Promise<TakenBackInbound[]> {
  const rows = await tx.rows<Row>(TAKE_BACK_TURNS, [conversationId]);
  return rows.map((row) => ({
    inboundId: row.inbound_id,
    arrival: Number(row.arrival),
    sessionId: row.session_id,
    entrySeq: Number(row.entry_seq),
    messageId: row.message_id,
    fromContactId: row.from_contact_id,
    body: row.body,
    timestampMs: Number(row.timestamp_ms),
    sourcePlugin: row.source_plugin,
    attachments: row.attachments,
    eventId: row.event_id,
  }));
}
