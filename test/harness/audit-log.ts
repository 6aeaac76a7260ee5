import pg from 'pg';

import type { TestDatabase } from './postgres.js';

/** Changes the database behind the back of its triggers, as only its superuser can. */
export async function tamper(database: TestDatabase, statement: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: database.url, application_name: 'test tamperer' });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    await client.query(statement, values);
  } finally {
    await client.end();
  }
}

/** Begins the audit log anew. */
export async function emptyAuditLog(database: TestDatabase): Promise<void> {
  await tamper(database, 'TRUNCATE audit_log RESTART IDENTITY');
  await tamper(database, 'DELETE FROM audit_head');
  await tamper(database, `INSERT INTO audit_head (position, hash) VALUES (0, sha256(''))`);
}
