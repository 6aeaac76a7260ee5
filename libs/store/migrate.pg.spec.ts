import { TestDatabase } from '../../test/harness/postgres.js';
import { createDataSource } from './data-source.js';
import { migrate } from './migrate.js';
import { MIGRATIONS } from './migrations/index.js';

describe('migrations', () => {
  test('are applied once when several processes start at the same time', async () => {
    const database = await TestDatabase.create();
    await database.query('DROP SCHEMA public CASCADE');
    await database.query('CREATE SCHEMA public');
    const sources = Array.from({ length: 3 }, () =>
      createDataSource({ url: database.url, poolSize: 1, applicationName: 'test migrations' }),
    );
    await Promise.all(sources.map((source) => source.initialize()));
    const applied = await Promise.all(sources.map(migrate));
    expect(applied.flat()).toEqual(MIGRATIONS.map(({ name }) => name));
    expect(await migrate(sources[0] as (typeof sources)[0])).toEqual([]);
    await Promise.all(sources.map((source) => source.destroy()));
    await database.drop();
  });
});
