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

const READ_WAITING = {
  name: 'read-waiting-inbounds',
  text: `
    SELECT position, inbound_id, arrival, taken_back, session_id, entry_seq, message_id, from_contact_id, body,
      timestamp_ms, source_plugin, attachments, evicts_below, buffered_at_ms
    FROM buffered_inbounds WHERE conversation_id = $1 AND NOT drained AND (taken_back OR position >= $2)
    ORDER BY position`,
};

/** What has evicted others stays, empty, because it tells when they were evicted. */
const EMPTY_EVICTING = {
  name: 'empty-evicting-inbounds',
  text: `
    UPDATE buffered_inbounds AS b SET drained = true, body = '', attachments = NULL
    WHERE b.conversation_id = $1 AND b.position >= $2 AND EXISTS (
      SELECT FROM buffered_inbounds AS evicted
      WHERE evicted.conversation_id = $1 AND evicted.position < $2 AND NOT evicted.taken_back AND NOT evicted.drained)`,
};

const DELETE_WAITING = {
  name: 'delete-waiting-inbounds',
  text: `
    DELETE FROM buffered_inbounds WHERE conversation_id = $1 AND NOT drained AND (taken_back OR position >= $2)`,
};

/** Removes what waits in a locked conversation's buffer and returns it in order of arrival; evicted ones stay. */
export async function drainBuffer(tx: Transaction, conversationId: string, head: number): Promise<BufferedInbound[]> {
  const [rows] = await Promise.all([
    tx.rows<Row>(READ_WAITING, [conversationId, head]),
    tx.rows(EMPTY_EVICTING, [conversationId, head]),
    tx.rows(DELETE_WAITING, [conversationId, head]),
  ]);
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
