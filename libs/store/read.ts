import type { PoolClient, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';

import type { Statement } from './transaction.js';

/** What a query that only reads is given: a transaction, or a connection of its own by `readOnce`. */
export interface Reader {
  rows<Row extends QueryResultRow>(statement: Statement, values?: unknown[]): Promise<Row[]>;
}

/** A server that accepts a statement and then says nothing counts as lost after this time, and so does its connection. */
export const READ_TIMEOUT_MS = 3_000;

/** Runs statements on a pooled connection outside any transaction, so that each sees a snapshot of its own. */
export async function readOnce<Result>(
  dataSource: DataSource,
  read: (reader: Reader) => Promise<Result>,
): Promise<Result> {
  const runner = dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as PoolClient;
    return await read({
      rows: async <Row extends QueryResultRow>(statement: Statement, values: unknown[] = []) => {
        const timed = { name: statement.name, text: statement.text, values, query_timeout: READ_TIMEOUT_MS };
        return (await client.query<Row>(timed)).rows;
      },
    });
  } finally {
    await runner.release();
  }
}
