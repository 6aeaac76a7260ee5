import type { Transaction } from '../../transaction.js';

/** Where a walk through a table goes on; both are empty at its beginning. */
export interface SweepPlace {
  id: string;
  agentId: string;
}

/** What a small step of retention is to remove. */
export interface Removal {
  /** Older than this on the database's clock. */
  days: number;
  /** Most rows. */
  limit: number;
  /** Where the step before has ended. */
  place: SweepPlace;
}

export interface Removed {
  rows: number;
  /** Undefined when there is nothing left to do. */
  next: SweepPlace | undefined;
}

/** Removes some of what is older than its age. To be asked again with `next` while there is one. */
export type RemoveOld = (tx: Transaction, removal: Removal) => Promise<Removed>;

/** Before the first row of any table. */
export const SWEEP_START: SweepPlace = { id: '00000000-0000-0000-0000-000000000000', agentId: '' };

/** Epoch milliseconds before which rows of `$1` days are too old. */
export const CUTOFF_MS = `(extract(epoch FROM clock_timestamp() - $1::int * interval '1 day') * 1000)::bigint`;

/** The outbox refers to lines and events rather than repeating them. */
const STILL_TO_PUBLISH = {
  name: 'old-messages-to-publish',
  text: `
    SELECT EXISTS (SELECT FROM outbox WHERE created_at < clock_timestamp() - $1::int * interval '1 day') AS some`,
};

const SWEEP_SETTINGS = {
  name: 'sweep-settings',
  text: `SELECT set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '250ms', true)`,
};

/** A step waits for nobody, and may be undone by a crash, because it is done again. */
export async function beginSweep(tx: Transaction): Promise<void> {
  await tx.rows(SWEEP_SETTINGS);
}

/** True while a message of that age is still to be published, so that what it refers to has to stay. */
export async function isStillToPublish(tx: Transaction, days: number): Promise<boolean> {
  const [row] = await tx.rows<{ some: boolean }>(STILL_TO_PUBLISH, [days]);
  return row?.some ?? true;
}

/** A step that finds the oldest rows by itself is to be repeated as long as it finds as many as it may. */
export function repeatWhileFull(rows: number, { limit }: Removal): Removed {
  return { rows, next: rows < limit ? undefined : SWEEP_START };
}
