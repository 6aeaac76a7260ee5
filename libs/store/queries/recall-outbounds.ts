import { type Outbound, OUTBOUND_COLUMNS, type OutboundRow, toOutbound } from '../outbound.js';
import type { Transaction } from '../transaction.js';

const RECALL_OUTBOUNDS = {
  name: 'recall-outbounds',
  text: `
    WITH unsent AS (
      SELECT ${OUTBOUND_COLUMNS} FROM outbounds
      WHERE conversation_id = $1 AND origin = 'agent' AND status = 'sending' FOR UPDATE
    ), recalled AS (
      UPDATE outbounds AS o
      SET status = 'recalled', body = '', attachments = NULL, expires_at_ms = NULL,
        settled_at_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
      FROM unsent WHERE o.outbound_id = unsent.outbound_id
    )
    SELECT * FROM unsent ORDER BY arrival`,
};

/**
 * Calls back what the agent wants to say in a conversation and no channel was asked to send, in order of arrival, and
 * forgets its text, which the caller is given. The caller holds the conversation and its outbox (`lockOutbox`), so that nothing is being handed over meanwhile.
 */
export async function recallOutbounds(tx: Transaction, conversationId: string): Promise<Outbound[]> {
  const rows = await tx.rows<OutboundRow>(RECALL_OUTBOUNDS, [conversationId]);
  return rows.map(toOutbound);
}
