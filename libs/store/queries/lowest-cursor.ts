import type { Transaction } from '../transaction.js';

const LOWEST_CURSOR = {
  name: 'lowest-cursor',
  text: 'SELECT min(cursor) AS cursor FROM partitions',
};

/** Up to this sequence everything of the inbound stream is stored, in every partition. */
export async function lowestCursor(tx: Transaction): Promise<number> {
  const [row] = await tx.rows<{ cursor: string | null }>(LOWEST_CURSOR);
  return Number(row?.cursor ?? 0);
}
