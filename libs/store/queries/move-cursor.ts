import type { Transaction } from '../transaction.js';

/** Who owns a partition: a process, fenced by the number of the ownership. */
export interface PartitionLease {
  partition: number;
  owner: string;
  ownerEpoch: number;
}

/** The partition has another owner, or its cursor is past this batch: nothing of the batch may be stored. */
export class CursorNotMoved extends Error {
  override readonly name = 'CursorNotMoved';
}

const MOVE_CURSOR = {
  name: 'move-cursor',
  text: `
    UPDATE partitions SET cursor = $4
    WHERE partition = $1 AND owner = $2 AND owner_epoch = $3 AND cursor < $4`,
};

/**
 * Moves the cursor to the last sequence that this transaction stores.
 * @throws CursorNotMoved if this process is not, or no longer, the one to store it
 */
export async function moveCursor(tx: Transaction, lease: PartitionLease, seq: number): Promise<void> {
  const moved = await tx.affected(MOVE_CURSOR, [lease.partition, lease.owner, lease.ownerEpoch, seq]);
  if (moved !== 1) throw new CursorNotMoved(`partition ${lease.partition} is not at ${seq} under this lease`);
}
