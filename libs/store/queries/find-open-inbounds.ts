import type { Transaction } from '../transaction.js';
import type { ShownInbound } from './find-pending.js';

/** An inbound that was stamped, with its place in the transcripts. */
export interface OpenInbound extends ShownInbound {
  arrival: number;
  sessionId: string;
  entrySeq: number;
}

interface Row {
  arrival: string;
  session_id: string;
  seq: string;
  message_id: string | null;
  sender_id: string;
  body: string;
  sent_at_ms: string;
  source_plugin: string;
  attachments: string | null;
}

export interface OpenQuestion {
  conversationId: string;
  /** Exclusive. */
  afterArrival: number;
  limit: number;
}

const FIND_OPEN_INBOUNDS = {
  name: 'find-open-inbounds',
  text: `
    SELECT arrival, session_id, seq, message_id, sender_id, body, sent_at_ms, source_plugin, attachments
    FROM entries
    WHERE conversation_id = $1 AND arrival > $2 AND role = 'user'
    ORDER BY arrival DESC
    LIMIT $3`,
};

/** The newest inbounds of a conversation that were stamped with a later number of arrival, in order of arrival. */
export async function findOpenInbounds(tx: Transaction, question: OpenQuestion): Promise<OpenInbound[]> {
  const { conversationId, afterArrival, limit } = question;
  const rows = await tx.rows<Row>(FIND_OPEN_INBOUNDS, [conversationId, afterArrival, limit]);
  return rows.reverse().map((row) => ({
    arrival: Number(row.arrival),
    sessionId: row.session_id,
    entrySeq: Number(row.seq),
    messageId: row.message_id,
    fromContactId: row.sender_id,
    body: row.body,
    timestampMs: Number(row.sent_at_ms),
    sourcePlugin: row.source_plugin,
    attachments: row.attachments,
  }));
}
