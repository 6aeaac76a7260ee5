import { bigints, uuids } from '../columns.js';
import type { Transaction } from '../transaction.js';

export interface ReceivedInbound {
  inboundId: string;
  conversationId: string;
  arrival: number;
  /** Where it was stamped; null while it waits in the buffer, and for ever if it was evicted. */
  sessionId: string | null;
  entrySeq: number | null;
}

const RECORD_INBOUNDS = {
  name: 'record-inbounds',
  text: `
    INSERT INTO inbounds (inbound_id, conversation_id, arrival, session_id, entry_seq)
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::uuid[], $5::bigint[])`,
};

/** Remembers inbounds for ever, so that a copy is recognised however late it comes. */
export async function recordInbounds(tx: Transaction, inbounds: ReceivedInbound[]): Promise<void> {
  if (inbounds.length === 0) return;
  await tx.rows(RECORD_INBOUNDS, [
    uuids(inbounds, (each) => each.inboundId),
    uuids(inbounds, (each) => each.conversationId),
    bigints(inbounds, (each) => each.arrival),
    uuids(inbounds, (each) => each.sessionId),
    bigints(inbounds, (each) => each.entrySeq),
  ]);
}
