import { randomUUID } from 'node:crypto';

import pg from 'pg';

import type { NewAuditRow } from '#store/queries/insert-audit-row.js';

import { newScope } from './client.js';
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

/** A row as a command leaves it, with texts that are hard to write down. */
export function auditRow(more: Partial<NewAuditRow> = {}): NewAuditRow {
  return {
    operator: 'ana',
    method: 'nexo/admin/processing/pause',
    scope: newScope('ágent "x" \\ \u{1F600}\n'),
    outcome: 'ok',
    changed: true,
    correlationId: randomUUID(),
    paramsSha256: 'f'.repeat(64),
    ...more,
  };
}

/** Computes all hashes anew, so that nobody can see that rows were changed. */
export function rehash(database: TestDatabase): Promise<void> {
  return tamper(
    database,
    `DO $$ DECLARE entry audit_log; previous bytea := sha256(''); BEGIN
       FOR entry IN SELECT * FROM audit_log ORDER BY position LOOP
         previous := audit_row_hash(previous, entry);
         UPDATE audit_log SET hash = previous WHERE id = entry.id;
       END LOOP;
       UPDATE audit_head SET hash = previous;
     END $$`,
  );
}
