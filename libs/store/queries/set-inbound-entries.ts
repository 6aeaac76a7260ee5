import { bigints, uuids } from '../columns.js';
import type { Transaction } from '../transaction.js';

const SET_INBOUND_ENTRIES = {
  name: 'set-inbound-entries',
  text: `
    UPDATE inbounds AS i SET session_id = s.session_id, entry_seq = s.entry_seq
    FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS s (inbound_id, session_id, entry_seq)
    WHERE i.inbound_id = s.inbound_id`,
};

/** Notes where inbounds that waited in a buffer have been stamped. */
export async function setInboundEntries(
  tx: Transaction,
  stamped: { inboundId: string; sessionId: string; entrySeq: number }[],
): Promise<void> {
  if (stamped.length === 0) return;
  await tx.rows(SET_INBOUND_ENTRIES, [
    uuids(stamped, (each) => each.inboundId),
    uuids(stamped, (each) => each.sessionId),
    bigints(stamped, (each) => each.entrySeq),
  ]);
}
