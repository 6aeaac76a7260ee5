import type { OutboundDelivery } from '../outbound.js';
import type { Transaction } from '../transaction.js';

/** What a channel reports of a message that it took. */
export interface DeliveryReport {
  delivery: OutboundDelivery;
  /** The channel's words, redacted. */
  detail: string | null;
  /** When that was, by the channel's clock. */
  atMs: number;
}

const SET_DELIVERY = {
  name: 'set-delivery',
  text: `UPDATE outbounds SET delivery = $2, delivery_detail = $3, delivery_at_ms = $4 WHERE outbound_id = $1`,
};

/** Keeps a report of a message that the caller has locked. */
export async function setDelivery(tx: Transaction, outboundId: string, report: DeliveryReport): Promise<void> {
  await tx.rows(SET_DELIVERY, [outboundId, report.delivery, report.detail, report.atMs]);
}
