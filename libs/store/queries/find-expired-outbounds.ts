import type { Reader } from '../read.js';

const FIND_EXPIRED_OUTBOUNDS = {
  name: 'find-expired-outbounds',
  text: `
    SELECT outbound_id, conversation_id FROM outbounds
    WHERE expires_at_ms <= (extract(epoch FROM clock_timestamp()) * 1000)::bigint
    ORDER BY expires_at_ms LIMIT $1`,
};

/** Messages whose sender has ended without an outcome, on the database's clock. */
export async function findExpiredOutbounds(
  reader: Reader,
  limit: number,
): Promise<{ outboundId: string; conversationId: string }[]> {
  const rows = await reader.rows<{ outbound_id: string; conversation_id: string }>(FIND_EXPIRED_OUTBOUNDS, [limit]);
  return rows.map((row) => ({ outboundId: row.outbound_id, conversationId: row.conversation_id }));
}
