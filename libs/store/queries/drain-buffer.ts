import type { Transaction } from '../transaction.js';
import type { BufferedInbound } from './buffer-inbounds.js';

interface Row {
  position: string;
  inbound_id: string;
  arrival: string;
  taken_back: boolean;
  session_id: string | null;
  entry_seq: string | null;
  message_id: string | null;
  from_contact_id: string;
  body: string;
  timestamp_ms: string;
  source_plugin: string;
  attachments: string | null;
  evicts_below: string;
  buffered_at_ms: string;
}

const DRAIN_BUFFER = {
  name: 'drain-buffer',
  text: `
    WITH drained AS (
      DELETE FROM buffered_inbounds WHERE conversation_id = $1 AND (taken_back OR position >= $2)
      RETURNING position, inbound_id, arrival, taken_back, session_id, entry_seq, message_id, from_contact_id, body,
        timestamp_ms, source_plugin, attachments, evicts_below, buffered_at_ms
    )
    SELECT * FROM drained ORDER BY position`,
};

/** Removes what waits in a locked conversation's buffer and returns it in order of arrival; evicted ones stay. */
export async function drainBuffer(tx: Transaction, conversationId: string, head: number): Promise<BufferedInbound[]> {
  const rows = await tx.rows<Row>(DRAIN_BUFFER, [conversationId, head]);
  return rows.map((row) => ({
    conversationId,
    position: Number(row.position),
    inboundId: row.inbound_id,
    arrival: Number(row.arrival),
    takenBack: row.taken_back,
    sessionId: row.session_id,
    entrySeq: row.entry_seq === null ? null : Number(row.entry_seq),
    messageId: row.message_id,
    fromContactId: row.from_contact_id,
    body: row.body,
    timestampMs: Number(row.timestamp_ms),
    sourcePlugin: row.source_plugin,
    attachments: row.attachments,
    evictsBelow: Number(row.evicts_below),
    bufferedAtMs: Number(row.buffered_at_ms),
  }));
}
