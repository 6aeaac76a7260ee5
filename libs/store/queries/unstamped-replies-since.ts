import { type Outbound, OUTBOUND_COLUMNS, type OutboundRow, toOutbound } from '../outbound.js';
import type { Transaction } from '../transaction.js';

const UNSTAMPED_REPLIES_SINCE = {
  name: 'unstamped-replies-since',
  text: `
    SELECT ${OUTBOUND_COLUMNS} FROM outbounds
    WHERE conversation_id = $1 AND arrival >= $2 AND origin IN ('operator', 'agent') AND entry_seq IS NULL
      AND status IN ('sent', 'unknown')
    ORDER BY arrival`,
};

/**
 * What the contact was told, or may have been told, in a conversation from a number of arrival on and no transcript has, in
 * order of arrival.
 */
export async function unstampedRepliesSince(
  tx: Transaction,
  conversationId: string,
  arrival: number,
): Promise<Outbound[]> {
  const rows = await tx.rows<OutboundRow>(UNSTAMPED_REPLIES_SINCE, [conversationId, arrival]);
  return rows.map(toOutbound);
}
