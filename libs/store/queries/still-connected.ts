import type { Transaction } from '../transaction.js';

const STILL_CONNECTED = { name: 'still-connected', text: 'SELECT 1' };

/** Throws if the transaction, and with it every lock, was lost. */
export async function stillConnected(tx: Transaction): Promise<void> {
  await tx.rows(STILL_CONNECTED);
}
