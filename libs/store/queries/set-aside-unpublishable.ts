import type { Transaction } from '../transaction.js';

const SET_ASIDE = {
  name: 'set-aside-unpublishable',
  text: `
    WITH refused AS (
      DELETE FROM outbox WHERE ordering_key = $1 AND id = $2
      RETURNING id, ordering_key, kind, raw, headers
    )
    INSERT INTO unpublishable (outbox_id, ordering_key, kind, raw, headers, subject, msg_id, payload, reason)
    SELECT refused.*, $3, $4, $5, $6 FROM refused`,
};

/** Moves a row that the broker will never take out of the way of those behind it, and keeps it for a person. */
export async function setAsideUnpublishable(
  tx: Transaction,
  row: { orderingKey: string; id: string },
  refused: { subject: string; msgId: string; payload: string | null; reason: string },
): Promise<void> {
  await tx.rows(SET_ASIDE, [row.orderingKey, row.id, refused.subject, refused.msgId, refused.payload, refused.reason]);
}
