import type { Transaction } from '../transaction.js';

const LIMIT_STATEMENTS = { name: 'limit-statements', text: `SELECT set_config('statement_timeout', $1, true)` };

/** Ends every further statement of the transaction that takes longer. */
export async function limitStatements(tx: Transaction, timeoutMs: number): Promise<void> {
  await tx.rows(LIMIT_STATEMENTS, [`${timeoutMs}ms`]);
}
