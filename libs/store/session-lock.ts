import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';

const TRY_LOCK = `SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS had`;
const UNLOCK = `SELECT pg_advisory_unlock(hashtextextended($1, 0))`;

/**
 * Runs `work` while no other process runs work of this name, outside any transaction. A process that has lost its
 * connection has lost the lock as well, so that work has to be safe to run twice.
 * @returns undefined, at once, if another process is at it
 */
export async function whileNobodyElse<Result>(
  dataSource: DataSource,
  name: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const runner = dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as PoolClient;
    const { rows } = await client.query<{ had: boolean }>(TRY_LOCK, [name]);
    if (rows[0]?.had !== true) return undefined;
    try {
      return await work();
    } finally {
      await client.query(UNLOCK, [name]).catch(() => undefined);
    }
  } finally {
    await runner.release();
  }
}
