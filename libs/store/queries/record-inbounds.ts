import { bigints, uuids } from '../columns.js';
import type { Transaction } from '../transaction.js';

/** An inbound that waits in a buffer: it has no line in the transcript yet, and none ever if it is evicted. */
export interface ReceivedInbound {
  inboundId: string;
  conversationId: string;
  arrival: number;
}

const RECORD_INBOUNDS = {
  name: 'record-inbounds',
  text: `
    INSERT INTO inbounds (inbound_id, conversation_id, arrival)
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[])`,
};

/** Remembers inbounds for ever, so that a copy is recognised however late it comes. */
export async function recordInbounds(tx: Transaction, inbounds: ReceivedInbound[]): Promise<void> {
  if (inbounds.length === 0) return;
  await tx.rows(RECORD_INBOUNDS, [
    uuids(inbounds, (each) => each.inboundId),
    uuids(inbounds, (each) => each.conversationId),
    bigints(inbounds, (each) => each.arrival),
  ]);
}
