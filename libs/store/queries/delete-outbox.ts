import type { Transaction } from '../transaction.js';

const DELETE_OUTBOX = {
  name: 'delete-outbox',
  text: `
    DELETE FROM outbox AS o USING unnest($1::uuid[], $2::bigint[]) AS d (ordering_key, id)
    WHERE o.ordering_key = d.ordering_key AND o.id = d.id`,
};

/** Removes rows that their streams have acknowledged. */
export async function deleteOutbox(tx: Transaction, rows: { orderingKey: string; id: string }[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.rows(DELETE_OUTBOX, [rows.map((row) => row.orderingKey), rows.map((row) => row.id)]);
}
