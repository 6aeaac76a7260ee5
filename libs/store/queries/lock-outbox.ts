import { uuids } from '../columns.js';
import type { Transaction } from '../transaction.js';

/** 64 bits of the key; a collision makes two conversations wait for each other, no more. */
const LOCK_NUMBER = 'uuid_hash_extended(k, 0)';

const LOCK_OUTBOX = {
  name: 'lock-outbox',
  text: `SELECT pg_advisory_xact_lock(${LOCK_NUMBER}) FROM (SELECT $1::uuid AS k) AS key`,
};

const TRY_LOCK_OUTBOX = {
  name: 'try-lock-outbox',
  text: `SELECT k FROM unnest($1::uuid[]) AS k WHERE pg_try_advisory_xact_lock(${LOCK_NUMBER})`,
};

/**
 * Waits until nobody publishes the rows of this key and keeps it so until the transaction ends. Who removes rows of
 * the outbox holds this lock. Read the rows in a later statement: only that one sees what the former holder did.
 */
export async function lockOutbox(tx: Transaction, orderingKey: string): Promise<void> {
  await tx.rows(LOCK_OUTBOX, [orderingKey]);
}

/** Like `lockOutbox` without waiting: the keys that could be had. */
export async function tryLockOutbox(tx: Transaction, orderingKeys: string[]): Promise<string[]> {
  const rows = await tx.rows<{ k: string }>(TRY_LOCK_OUTBOX, [uuids(orderingKeys, (key) => key)]);
  return rows.map((row) => row.k);
}
