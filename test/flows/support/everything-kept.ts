import pg from 'pg';

import { STREAMS } from '#contracts/subjects.js';

import type { TestClient } from '../../harness/client.js';
import type { TestDatabase } from '../../harness/postgres.js';

/** Rows that say nothing of a conversation: who reads, which migrations were run, and what the audit log ends with. */
const BESIDE_THE_RECORD = ['partitions', 'migrations', 'audit_head'];

/** Every row of every table as text, by table; bytes are decoded as text. */
export async function tableContents(database: TestDatabase): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: database.url, application_name: 'test reader' });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
    );
    const contents: Record<string, string[]> = {};
    for (const { name } of tables.rows.filter((table) => !BESIDE_THE_RECORD.includes(table.name))) {
      const { rows } = await client.query<Record<string, unknown>>(`SELECT * FROM ${name}`);
      contents[name] = rows.map(asText).sort();
    }
    return contents;
  } finally {
    await client.end();
  }
}

/** Everything that stands in the streams that anyone may read: turns, events and notifications. */
export async function publicStreamContents(client: TestClient): Promise<string[]> {
  const messages = [...(await client.stored(STREAMS.turns)), ...(await client.stored(STREAMS.events))];
  return messages.map((message) => JSON.stringify(message));
}

function asText(row: Record<string, unknown>): string {
  const columns = Object.entries(row).map(([name, value]) => [name, Buffer.isBuffer(value) ? value.toString() : value]);
  return JSON.stringify(Object.fromEntries(columns));
}
