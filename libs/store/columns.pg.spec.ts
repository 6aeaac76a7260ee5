import { randomUUID } from 'node:crypto';

import type { DataSource } from 'typeorm';

import { TestDatabase } from '../../test/harness/postgres.js';
import { bigints, booleans, texts, uuids } from './columns.js';
import { createDataSource } from './data-source.js';
import { withTransaction } from './transaction.js';

const ROUND_TRIP = {
  name: 'round-trip',
  text: `
    SELECT t, u, n, b, pg_typeof(n)::text AS type
    FROM unnest($1::text[], $2::uuid[], $3::bigint[], $4::boolean[]) AS r (t, u, n, b)`,
};

describe('array parameters in binary format', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await TestDatabase.create();
    dataSource = createDataSource({ url: database.url, poolSize: 1, applicationName: 'test' });
    await dataSource.initialize();
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('arrive as they were given: nulls, the empty string, quotes, emoji, the largest safe integers', async () => {
    const rows = [
      { t: '', u: randomUUID(), n: 0, b: true },
      { t: null, u: null, n: null, b: false },
      { t: '{"a":"\\"b\\"","c":[null]}\n🙂', u: '00000000-0000-0000-0000-000000000000', n: 2 ** 53 - 1, b: true },
      { t: 'NULL', u: randomUUID(), n: -(2 ** 53 - 1), b: false },
      { t: 'x'.repeat(300_000), u: randomUUID(), n: -1, b: true },
    ];
    const values = [
      texts(rows, (row) => row.t),
      uuids(rows, (row) => row.u),
      bigints(rows, (row) => row.n),
      booleans(rows, (row) => row.b),
    ];
    const found = await withTransaction(dataSource, (tx) => tx.rows(ROUND_TRIP, values));
    expect(found).toEqual(rows.map((row) => ({ ...row, n: row.n === null ? null : String(row.n), type: 'bigint' })));
  });

  it('may be empty', async () => {
    const none: { t: string }[] = [];
    const values = [
      texts(none, (row) => row.t),
      uuids(none, (r) => r.t),
      bigints(none, () => 1),
      booleans(none, () => true),
    ];
    await expect(withTransaction(dataSource, (tx) => tx.rows(ROUND_TRIP, values))).resolves.toEqual([]);
  });
});
