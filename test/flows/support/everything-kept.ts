import { STREAMS } from '#contracts/subjects.js';

import type { TestClient } from '../../harness/client.js';
import type { TestDatabase } from '../../harness/postgres.js';

/** Rows that say nothing of a conversation: who reads, and where arrivals are counted. */
const BESIDE_THE_RECORD = ['partitions', 'migrations'];

/** Every row of every table as text, by table; bytes are decoded as text. */
export async function tableContents(database: TestDatabase): Promise<Record<string, string[]>> {
  const tables = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const contents: Record<string, string[]> = {};
  for (const { name } of tables.filter((table) => !BESIDE_THE_RECORD.includes(table.name))) {
    const rows = await database.query<Record<string, unknown>>(`SELECT * FROM ${name}`);
    const texts = rows.map((row) =>
      JSON.stringify(row, (_, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value)),
    );
    contents[name] = texts.sort();
  }
  return contents;
}

/** Everything that stands in the streams that anyone may read: turns, events and notifications. */
export async function publicStreamContents(client: TestClient): Promise<string[]> {
  const messages = [...(await client.stored(STREAMS.turns)), ...(await client.stored(STREAMS.events))];
  return messages.map((message) => JSON.stringify(message));
}
