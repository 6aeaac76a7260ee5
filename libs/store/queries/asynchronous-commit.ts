import type { Transaction } from '../transaction.js';

const ASYNCHRONOUS_COMMIT = {
  name: 'asynchronous-commit',
  text: `SELECT set_config('synchronous_commit', 'off', true)`,
};

/** Lets the commit return before it is on disk: for work that a crash may undo, because it is safe to do again. */
export async function asynchronousCommit(tx: Transaction): Promise<void> {
  await tx.rows(ASYNCHRONOUS_COMMIT);
}
