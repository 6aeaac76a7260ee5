import type { Transaction } from '../transaction.js';

const LOCK_OPERATORS = { name: 'lock-operators', text: 'LOCK TABLE operators IN SHARE ROW EXCLUSIVE MODE' };

const NOW_MS = { name: 'now-ms', text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms' };

/**
 * Keeps everybody else from changing operators until the transaction ends; tokens are checked all the same. What is
 * read in later statements stays true.
 * @returns the database's clock, read after the lock was had
 */
export async function lockOperators(tx: Transaction): Promise<number> {
  await tx.rows(LOCK_OPERATORS);
  const [row] = await tx.rows<{ now_ms: string }>(NOW_MS);
  return Number(row?.now_ms);
}
