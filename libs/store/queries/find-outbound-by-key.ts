import { type Outbound, OUTBOUND_COLUMNS, type OutboundRow, toOutbound } from '../outbound.js';
import type { Transaction } from '../transaction.js';

/** Under which an operator sends something once. */
export interface IdempotencyKey {
  conversationId: string;
  operator: string;
  key: string;
}

const FIND_OUTBOUND_BY_KEY = {
  name: 'find-outbound-by-key',
  text: `
    SELECT ${OUTBOUND_COLUMNS} FROM outbounds
    WHERE conversation_id = $1 AND operator = $2 AND idempotency_key = $3`,
};

const FORGET_IDEMPOTENCY_KEY = {
  name: 'forget-idempotency-key',
  text: `UPDATE outbounds SET idempotency_key = NULL WHERE outbound_id = $1`,
};

/** What an operator sent in a locked conversation under this key; undefined if nothing. */
export async function findOutboundByKey(
  tx: Transaction,
  { conversationId, operator, key }: IdempotencyKey,
): Promise<Outbound | undefined> {
  const [row] = await tx.rows<OutboundRow>(FIND_OUTBOUND_BY_KEY, [conversationId, operator, key]);
  return row && toOutbound(row);
}

/** The key of this message may be used for another one. */
export async function forgetIdempotencyKey(tx: Transaction, outboundId: string): Promise<void> {
  await tx.rows(FORGET_IDEMPOTENCY_KEY, [outboundId]);
}
