import { type DataSource, MigrationExecutor } from 'typeorm';

/** Any number will do, as long as nothing else in the database uses it. */
const MIGRATION_LOCK = 7_232_114_045;

/**
 * Brings the database up to date, however long that takes. Several processes may do so at once: one works, the others
 * wait for it.
 * @returns the names of the migrations that were applied, oldest first
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SET statement_timeout = 0');
    await runner.query('SET lock_timeout = 0');
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      const applied = await new MigrationExecutor(dataSource, runner).executePendingMigrations();
      return applied.map(({ name }) => name);
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await runner.query('RESET statement_timeout');
      await runner.query('RESET lock_timeout');
    }
  } finally {
    await runner.release();
  }
}
