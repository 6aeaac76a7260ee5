import type { DataSource } from 'typeorm';

import { TestDatabase } from '../../../test/harness/postgres.js';
import { createDataSource } from '../data-source.js';

describe('the entities', () => {
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

  it('have the columns that the migrations made, and no others', async () => {
    for (const entity of dataSource.entityMetadatas) {
      const columns = await database.query<{ name: string; type: string; nullable: boolean }>(
        `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, NOT attnotnull AS nullable
         FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attname`,
        [entity.tableName],
      );
      const described = entity.columns.map((column) => ({
        name: column.databaseName,
        type: `${dataSource.driver.normalizeType(column)}${column.isArray ? '[]' : ''}`,
        nullable: column.isNullable,
      }));
      expect(described.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(columns);
    }
  });
});
