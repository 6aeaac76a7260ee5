import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createDataSource } from '#store/data-source.js';
import { migrate as migrateDatabase } from '#store/migrate.js';
import pg from 'pg';

import { ensureDatabase, startEmbeddedPostgres } from '../../apps/standalone/src/embedded-postgres.js';
import { noteProcess, runDirectory } from './run.js';
import { waitFor } from './wait-for.js';

const TEMPLATE = 'holdline_template';
/** Servers of this run write here what a crash of the machine would need; no test crashes the machine. */
const SETTINGS = { fsync: 'off', max_connections: '300', autovacuum_naptime: '5s' };

/** An empty database with all migrations, for one test file. */
export class TestDatabase {
  private constructor(
    private readonly cluster: string,
    /** `postgres://user:password@127.0.0.1:port/name` */
    readonly url: string,
    readonly name: string,
  ) {}

  static async create(): Promise<TestDatabase> {
    const name = `test_${randomBytes(8).toString('hex')}`;
    const own = process.env['HOLDLINE_TEST_POSTGRES_URL'];
    const cluster = own ?? (await sharedCluster());
    await asAdministrator(cluster, `CREATE DATABASE ${name}${own === undefined ? ` TEMPLATE ${TEMPLATE}` : ''}`);
    const database = new TestDatabase(cluster, withDatabase(cluster, name), name);
    if (own !== undefined) await migrate(database.url);
    return database;
  }

  /** Rows of one statement on a connection of its own. */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url, application_name: 'test query' });
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Breaks every connection and refuses new ones, until `bringBack`. */
  async cutOff(): Promise<void> {
    await asAdministrator(this.cluster, `ALTER DATABASE ${this.name} ALLOW_CONNECTIONS false`);
    await this.breakConnections();
  }

  async bringBack(): Promise<void> {
    await asAdministrator(this.cluster, `ALTER DATABASE ${this.name} ALLOW_CONNECTIONS true`);
  }

  /** Breaks every connection once; new ones are welcome. */
  async breakConnections(): Promise<void> {
    await asAdministrator(
      this.cluster,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${this.name}'`,
    );
  }

  /**
   * Removes the database.
   * @throws when somebody still holds a connection: a test ends what it began.
   */
  async drop(): Promise<void> {
    const open = () =>
      asAdministrator<{ application_name: string; query: string }>(
        this.cluster,
        `SELECT application_name, query FROM pg_stat_activity WHERE datname = '${this.name}' AND backend_type = 'client backend'`,
      );
    const allClosed = await waitFor(async () => (await open()).length === 0, { timeoutMs: 2_000 }).catch(() => false);
    const left = allClosed ? [] : await open();
    await asAdministrator(this.cluster, `DROP DATABASE ${this.name} WITH (FORCE)`);
    if (left.length > 0) {
      const names = left.map(({ application_name, query }) => `${application_name}: ${query}`).join('; ');
      throw new Error(`The test left ${left.length} database connections open (${names}).`);
    }
  }
}

/** Starts the cluster of this run with the first test that asks; the others wait for it. Gives its administrator's URL. */
async function sharedCluster(): Promise<string> {
  const directory = join(runDirectory(), 'postgres');
  const urlFile = join(runDirectory(), 'postgres.url');
  if (isFirst(directory)) {
    const postgres = await startEmbeddedPostgres({
      directory,
      logFile: join(runDirectory(), 'postgres.log'),
      settings: SETTINGS,
      signal: new AbortController().signal,
    });
    noteProcess(postgres.server.pid);
    postgres.server.unref();
    await ensureDatabase(postgres, TEMPLATE);
    await migrate(postgres.url(TEMPLATE));
    writeFileSync(`${urlFile}.new`, postgres.url('postgres'));
    renameSync(`${urlFile}.new`, urlFile);
  }
  return waitFor(() => existsSync(urlFile) && readFileSync(urlFile, 'utf8'), {
    timeoutMs: 60_000,
    what: 'The start of the test cluster',
  });
}

function isFirst(directory: string): boolean {
  try {
    mkdirSync(directory, { mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

async function migrate(url: string): Promise<void> {
  const dataSource = createDataSource({ url, poolSize: 1, applicationName: 'test migrations' });
  await dataSource.initialize();
  try {
    await migrateDatabase(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

async function asAdministrator<Row extends pg.QueryResultRow>(cluster: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: cluster, application_name: 'test administrator' });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

function withDatabase(cluster: string, name: string): string {
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return url.href;
}
