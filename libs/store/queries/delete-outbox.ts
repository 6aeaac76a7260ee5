import type { Transaction } from '../transaction.js';
import type { OutboxPlace } from './read-outbox.js';

const DELETE_OUTBOX = {
  name: 'delete-outbox',
  text: `DELETE FROM outbox WHERE ctid = ANY($1::tid[])`,
};

/**
 * Removes rows that this transaction has read and that their streams have acknowledged. Nobody else removes them
 * meanwhile (`lockOutbox`), and rows of the outbox are never updated, so they are where they were.
 */
export async function deleteOutbox(tx: Transaction, rows: OutboxPlace[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.rows(DELETE_OUTBOX, [rows.map((row) => row.ctid)]);
}
