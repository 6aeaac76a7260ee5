import { bigints, booleans, texts, uuids } from '../columns.js';
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
    uuids(inbounds, (each) => each.conversationId),
    bigints(inbounds, (each) => each.position),
    uuids(inbounds, (each) => each.inboundId),
    bigints(inbounds, (each) => each.arrival),
    booleans(inbounds, (each) => each.takenBack),
    uuids(inbounds, (each) => each.sessionId),
    bigints(inbounds, (each) => each.entrySeq),
    uuids(inbounds, (each) => each.messageId),
    texts(inbounds, (each) => each.fromContactId),
    texts(inbounds, (each) => each.body),
    bigints(inbounds, (each) => each.timestampMs),
    texts(inbounds, (each) => each.sourcePlugin),
    texts(inbounds, (each) => each.attachments),
    bigints(inbounds, (each) => each.evictsBelow),
    bigints(inbounds, (each) => each.bufferedAtMs),
  ]);
}
