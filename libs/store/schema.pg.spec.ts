import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { DataSource } from 'typeorm';

import { TestDatabase } from '../../test/harness/postgres.js';
import { PROJECT_ROOT } from '../../test/harness/project-root.js';
import { createDataSource } from './data-source.js';
import { dumpSchema } from './schema-dump.js';

const REFRESH = 'libs/store/schema.sql is not what the migrations make: run `npm run schema` and commit the file';

describe('schema.sql', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  const committed = readFileSync(join(PROJECT_ROOT, 'libs/store/schema.sql'), 'utf8');

  beforeAll(async () => {
    database = await TestDatabase.create();
    dataSource = createDataSource({ url: database.url, poolSize: 1, applicationName: 'test' });
    await dataSource.initialize();
  });
  beforeEach(() => dataSource.query('BEGIN'));
  afterEach(() => dataSource.query('ROLLBACK'));
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('is what all migrations make of an empty database', async () => {
    expect({ [REFRESH]: await dumpSchema(dataSource) }).toEqual({ [REFRESH]: committed });
  });

  it('makes the same of an empty database', async () => {
    await dataSource.query('DROP SCHEMA public CASCADE');
    await dataSource.query('CREATE SCHEMA public');
    await dataSource.query(committed);
    expect(await dumpSchema(dataSource)).toBe(committed);
  });

  it.each([
    'ALTER TABLE events ADD COLUMN note text',
    'ALTER TABLE events ALTER COLUMN kind DROP NOT NULL',
    'ALTER TABLE conversations ALTER COLUMN epoch SET DEFAULT 7',
    'ALTER TABLE conversations SET (fillfactor = 90)',
    'ALTER TABLE audit_log DROP CONSTRAINT audit_log_outcome_check',
    'DROP INDEX entries_search',
    'ALTER SEQUENCE arrivals INCREMENT BY 2',
    'DROP TRIGGER audit_log_not_emptied ON audit_log',
    `CREATE OR REPLACE FUNCTION audit_field(value text) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$ SELECT ''::bytea $$`,
  ])('would show: %s', async (change) => {
    await dataSource.query(change);
    expect(await dumpSchema(dataSource)).not.toBe(committed);
  });

  it.each([
    'CREATE PROCEDURE nothing() LANGUAGE sql AS $$ SELECT 1 $$',
    'CREATE VIEW shown AS SELECT event_id FROM events',
    `CREATE TYPE mood AS ENUM ('calm')`,
  ])('does not pass over what it cannot show: %s', async (addition) => {
    await dataSource.query(addition);
    await expect(dumpSchema(dataSource)).rejects.toThrow('has to learn about');
  });
});
