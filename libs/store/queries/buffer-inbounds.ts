import type { Transaction } from '../transaction.js';

/** An inbound that waits in a paused conversation's buffer. */
export interface BufferedInbound {
  conversationId: string;
  position: number;
  inboundId: string;
  arrival: number;
  /** Came back from a turn that was not published: it is stamped already, at (sessionId, entrySeq). */
  takenBack: boolean;
  /** The session that the inbound named, or the one where it was stamped. */
  sessionId: string | null;
  entrySeq: number | null;
  messageId: string | null;
  fromContactId: string;
  body: string;
  timestampMs: number;
  sourcePlugin: string;
  /** JSON text of an array. */
  attachments: string | null;
  /** The buffer's head right after this one arrived. */
  evictsBelow: number;
  bufferedAtMs: number;
}

const BUFFER_INBOUNDS = {
  name: 'buffer-inbounds',
  text: `
    INSERT INTO buffered_inbounds (conversation_id, position, inbound_id, arrival, taken_back, session_id, entry_seq,
      message_id, from_contact_id, body, timestamp_ms, source_plugin, attachments, evicts_below, buffered_at_ms)
    SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::bigint[], $5::boolean[], $6::uuid[], $7::bigint[],
      $8::uuid[], $9::text[], $10::text[], $11::bigint[], $12::text[], $13::text[], $14::bigint[], $15::bigint[])`,
};

/** Stores inbounds at their positions; the window of each conversation is moved by `moveBufferWindows`. */
export async function bufferInbounds(tx: Transaction, inbounds: BufferedInbound[]): Promise<void> {
  if (inbounds.length === 0) return;
  await tx.rows(BUFFER_INBOUNDS, [
    inbounds.map((each) => each.conversationId),
    inbounds.map((each) => each.position),
    inbounds.map((each) => each.inboundId),
    inbounds.map((each) => each.arrival),
    inbounds.map((each) => each.takenBack),
    inbounds.map((each) => each.sessionId),
    inbounds.map((each) => each.entrySeq),
    inbounds.map((each) => each.messageId),
    inbounds.map((each) => each.fromContactId),
    inbounds.map((each) => each.body),
    inbounds.map((each) => each.timestampMs),
    inbounds.map((each) => each.sourcePlugin),
    inbounds.map((each) => each.attachments),
    inbounds.map((each) => each.evictsBelow),
    inbounds.map((each) => each.bufferedAtMs),
  ]);
}
