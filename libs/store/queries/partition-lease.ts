import type { Transaction } from '../transaction.js';
import type { PartitionLease } from './move-cursor.js';

/** A partition that this process has just become, or still is, the owner of. */
export interface OwnedPartition extends PartitionLease {
  cursor: number;
  /** When the stream was created to which the cursor belongs; null before the first owner. */
  streamCreated: string | null;
}

interface Row {
  owner_epoch: string;
  cursor: string;
  stream_created: string | null;
}

const ENSURE_PARTITION = {
  name: 'ensure-partition',
  text: `
    INSERT INTO partitions (partition, cursor)
    SELECT $1, coalesce((SELECT min(cursor) FROM partitions), 0)
    ON CONFLICT (partition) DO NOTHING`,
};

const ACQUIRE_LEASE = {
  name: 'acquire-lease',
  text: `
    UPDATE partitions
    SET owner = $2, owner_epoch = owner_epoch + 1, lease_until = clock_timestamp() + $3 * interval '1 millisecond'
    WHERE partition = $1 AND (lease_until IS NULL OR lease_until < clock_timestamp())
    RETURNING owner_epoch, cursor, stream_created`,
};

const RENEW_LEASE = {
  name: 'renew-lease',
  text: `
    UPDATE partitions SET lease_until = clock_timestamp() + $4 * interval '1 millisecond'
    WHERE partition = $1 AND owner = $2 AND owner_epoch = $3`,
};

const RELEASE_LEASE = {
  name: 'release-lease',
  text: `
    UPDATE partitions SET lease_until = NULL, owner = NULL
    WHERE partition = $1 AND owner = $2 AND owner_epoch = $3`,
};

const READ_LEASE = {
  name: 'read-lease',
  text: `
    SELECT owner_epoch, cursor, stream_created FROM partitions
    WHERE partition = $1 AND owner = $2 AND owner_epoch = $3`,
};

const RESET_CURSOR = {
  name: 'reset-cursor',
  text: `
    UPDATE partitions SET cursor = $4, stream_created = $5
    WHERE partition = $1 AND owner = $2 AND owner_epoch = $3`,
};

/** Creates the row of a partition. A new one starts where the slowest stands: what was received twice is recognised. */
export async function ensurePartition(tx: Transaction, partition: number): Promise<void> {
  await tx.rows(ENSURE_PARTITION, [partition]);
}

/** Becomes the owner of a partition whose lease is over, on the database's clock; undefined if it has an owner. */
export async function acquireLease(
  tx: Transaction,
  partition: number,
  owner: string,
  leaseMs: number,
): Promise<OwnedPartition | undefined> {
  const [row] = await tx.rows<Row>(ACQUIRE_LEASE, [partition, owner, leaseMs]);
  return row && fromRow(row, partition, owner);
}

/** @returns false if the partition has another owner by now */
export async function renewLease(tx: Transaction, lease: PartitionLease, leaseMs: number): Promise<boolean> {
  return (await tx.affected(RENEW_LEASE, [lease.partition, lease.owner, lease.ownerEpoch, leaseMs])) === 1;
}

/** Gives a partition up, so that another process can own it at once. */
export async function releaseLease(tx: Transaction, lease: PartitionLease): Promise<void> {
  await tx.rows(RELEASE_LEASE, [lease.partition, lease.owner, lease.ownerEpoch]);
}

/** The partition as it stands, if this process still owns it. */
export async function readLease(tx: Transaction, lease: PartitionLease): Promise<OwnedPartition | undefined> {
  const [row] = await tx.rows<Row>(READ_LEASE, [lease.partition, lease.owner, lease.ownerEpoch]);
  return row && fromRow(row, lease.partition, lease.owner);
}

/** Sets the cursor by hand: at the first start, or after the stream was re-created or rolled back. */
export async function resetCursor(
  tx: Transaction,
  lease: PartitionLease,
  cursor: number,
  streamCreated: string,
): Promise<void> {
  await tx.rows(RESET_CURSOR, [lease.partition, lease.owner, lease.ownerEpoch, cursor, streamCreated]);
}

function fromRow(row: Row, partition: number, owner: string): OwnedPartition {
  return {
    partition,
    owner,
    ownerEpoch: Number(row.owner_epoch),
    cursor: Number(row.cursor),
    streamCreated: row.stream_created,
  };
}
