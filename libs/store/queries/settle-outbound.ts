import type { OutboundStatus } from '../outbound.js';
import type { Transaction } from '../transaction.js';

/** The outcome of a message. */
export interface OutboundSettlement {
  outboundId: string;
  status: Extract<OutboundStatus, 'sent' | 'rejected' | 'unavailable' | 'unknown'>;
  outboundMessageId: string | null;
  reason: string | null;
  detail: string | null;
  entrySeq: number | null;
  /** Redacted. */
  body: string;
  attachments: string | null;
}

const SETTLE_OUTBOUND = {
  name: 'settle-outbound',
  text: `
    UPDATE outbounds
    SET status = $2, outbound_message_id = $3, reason = $4, detail = $5, entry_seq = $6, body = $7, attachments = $8,
      idempotency_key = CASE $2 WHEN 'unavailable' THEN NULL ELSE idempotency_key END, expires_at_ms = NULL,
      settled_at_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
    WHERE outbound_id = $1`,
};

/** Writes the outcome of a message that the caller has locked. One that nobody took leaves its key to be used again. */
export async function settleOutbound(tx: Transaction, settlement: OutboundSettlement): Promise<void> {
  await tx.rows(SETTLE_OUTBOUND, [
    settlement.outboundId,
    settlement.status,
    settlement.outboundMessageId,
    settlement.reason,
    settlement.detail,
    settlement.entrySeq,
    settlement.body,
    settlement.attachments,
  ]);
}
