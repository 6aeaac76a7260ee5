import { type Outbound, OUTBOUND_COLUMNS, type OutboundRow, toOutbound } from '../outbound.js';
import type { Transaction } from '../transaction.js';

const HAND_OVER_OUTBOUND = {
  name: 'hand-over-outbound',
  text: `
    UPDATE outbounds SET status = 'handed_over', expires_at_ms = now_ms + $2
    FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms) AS clock
    WHERE outbound_id = $1 AND status = 'sending' AND expires_at_ms > now_ms
    RETURNING ${OUTBOUND_COLUMNS}`,
};

/**
 * Takes the right to ask the channel, once for each message. The caller holds the conversation's outbox
 * (`lockOutbox`), asks the channel and commits.
 * @param expiresAfterMs after which the message counts as lost if there is no outcome
 * @returns undefined if somebody else had the right, or if the message was recalled or has expired
 */
export async function handOverOutbound(
  tx: Transaction,
  outboundId: string,
  expiresAfterMs: number,
): Promise<Outbound | undefined> {
  const [row] = await tx.rows<OutboundRow>(HAND_OVER_OUTBOUND, [outboundId, expiresAfterMs]);
  return row && toOutbound(row);
}
