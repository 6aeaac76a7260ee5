import type { Transaction } from '../transaction.js';

const FIND_OUTBOX_KEYS = {
  name: 'find-outbox-keys',
  text: 'SELECT DISTINCT ordering_key FROM (SELECT ordering_key FROM outbox LIMIT $1) AS waiting',
};

/** Keys that have rows to publish, found among at most `rows` rows. */
export async function findOutboxKeys(tx: Transaction, rows: number): Promise<string[]> {
  const found = await tx.rows<{ ordering_key: string }>(FIND_OUTBOX_KEYS, [rows]);
  return found.map((row) => row.ordering_key);
}
