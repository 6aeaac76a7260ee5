import { createServer, type AddressInfo, type Socket } from 'node:net';

import type { DataSource } from 'typeorm';

import { TestDatabase } from '../../test/harness/postgres.js';
import { waitFor } from '../../test/harness/wait-for.js';
import { classifyDatabaseError } from './database-errors.js';
import { createDataSource } from './data-source.js';
import { type Transaction, withTransaction } from './transaction.js';

describe('what a failure of the database means', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await TestDatabase.create();
    dataSource = createDataSource({ url: database.url, poolSize: 4, applicationName: 'test' });
    await dataSource.initialize();
    await database.query('CREATE TABLE things (id int PRIMARY KEY, size int CHECK (size > 0))');
    await database.query('INSERT INTO things VALUES (1, 1), (2, 1)');
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  /** What the error of `work` means, with its code. */
  async function failureOf(work: () => Promise<unknown>): Promise<[code: string | undefined, means: string]> {
    const error = await work().then(
      () => new Error('it did not fail'),
      (thrown: unknown) => thrown as Error,
    );
    const { code } = error as { code?: string };
    return [code, classifyDatabaseError(error)];
  }

  const inTransaction = (...statements: string[]) =>
    withTransaction(dataSource, async (tx) => {
      for (const statement of statements) await tx.manager.query(statement);
    });
  const lock = (id: number) => `SELECT FROM things WHERE id = ${id} FOR UPDATE`;

  it('is to try again after a lock that was not had in time', async () => {
    await withTransaction(dataSource, async (tx) => {
      await tx.manager.query(lock(1));
      const failure = failureOf(() => inTransaction(`SET LOCAL lock_timeout = '20ms'`, lock(1)));
      expect(await failure).toEqual(['55P03', 'retry']);
    });
  });

  it('is to try again after a deadlock', async () => {
    let metOnce = 0;
    let meet: () => void;
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const cross = (first: number, second: number) =>
      withTransaction(dataSource, async (tx) => {
        await tx.manager.query(lock(first));
        metOnce += 1;
        if (metOnce === 2) meet();
        await met;
        await tx.manager.query(lock(second));
      });
    const outcomes = await Promise.all([failureOf(() => cross(1, 2)), failureOf(() => cross(2, 1))]);
    expect(outcomes).toContainEqual(['40P01', 'retry']);
  });

  it('is to try again after two serializable transactions that could not both be first', async () => {
    const serializable = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ';
    const failure = withTransaction(dataSource, async (tx) => {
      await tx.manager.query(serializable);
      await tx.manager.query('SELECT FROM things');
      await database.query('UPDATE things SET size = size + 1 WHERE id = 1');
      await tx.manager.query('UPDATE things SET size = size + 1 WHERE id = 1');
    });
    expect(await failureOf(() => failure)).toEqual(['40001', 'retry']);
  });

  it('is to try again after a statement that took too long', async () => {
    const slow = () => inTransaction(`SET LOCAL statement_timeout = '20ms'`, 'SELECT pg_sleep(10)');
    expect(await failureOf(slow)).toEqual(['57014', 'retry']);
  });

  it.each([
    ['22P02', `INSERT INTO things VALUES (3, 'many')`],
    ['22021', `SELECT convert_from('\\x00', 'UTF8')`],
    ['23505', 'INSERT INTO things VALUES (1, 1)'],
    ['23514', 'INSERT INTO things VALUES (3, 0)'],
    ['42P01', 'SELECT FROM nothing'],
    ['42601', 'SELEKT'],
    ['54000', `SELECT repeat('x', 1100000)::tsvector`],
  ])('is a defect when the statement or its data are wrong: %s', async (code, statement) => {
    expect(await failureOf(() => inTransaction(statement))).toEqual([code, 'fatal']);
  });

  it('is that the database is away when it ends the connection in the middle', async () => {
    const end = 'SELECT pg_terminate_backend(pg_backend_pid())';
    expect(await failureOf(() => inTransaction(end))).toEqual(['57P01', 'away']);
  });

  it.each([
    ['a statement', (tx: Transaction) => tx.manager.query('SELECT 1'), 'retry'],
    ['a prepared statement', (tx: Transaction) => tx.rows({ name: 'one', text: 'SELECT 1' }), 'away'],
    ['its commit', () => Promise.resolve(), 'retry'],
  ] as const)('is no defect when a transaction was ended while it was idle, before %s', async (_what, next, means) => {
    const [, meant] = await failureOf(() =>
      withTransaction(dataSource, async (tx) => {
        const [{ pid }] = await tx.manager.query<[{ pid: number }]>('SELECT pg_backend_pid() AS pid');
        await tx.manager.query(`SET LOCAL idle_in_transaction_session_timeout = '20ms'`);
        await waitFor(async () => {
          const left = await database.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid]);
          return left.length === 0;
        });
        await next(tx);
      }),
    );
    expect(meant).toBe(means);
  });

  it('is that the database is away when it accepts no connections', async () => {
    await database.cutOff();
    try {
      expect(await failureOf(() => inTransaction('SELECT 1'))).toEqual(['55000', 'away']);
    } finally {
      await database.bringBack();
    }
    await waitFor(() => inTransaction('SELECT 1').then(() => true));
  });

  it('is that the database is away when it has no connection left for us, or does not know us', async () => {
    const role = `role_of_${database.name}`;
    await database.query(`CREATE ROLE ${role} LOGIN PASSWORD 'right' CONNECTION LIMIT 0`);
    try {
      expect(await failureOf(() => connectTo({ username: role, password: 'right' }))).toEqual(['53300', 'away']);
      await database.query(`ALTER ROLE ${role} NOLOGIN`);
      expect(await failureOf(() => connectTo({ username: role, password: 'right' }))).toEqual(['28000', 'away']);
      expect(await failureOf(() => connectTo({ pathname: '/missing' }))).toEqual(['3D000', 'away']);
    } finally {
      await database.query(`DROP ROLE ${role}`);
    }
  });

  it('is that the database is away when nobody listens, or somebody who hangs up or says nothing', async () => {
    const hangsUp = await listen((socket) => socket.destroy());
    const saysNothing = await listen(() => undefined);
    const nobody = await listen(() => undefined);
    await nobody.close();
    try {
      expect(await failureOf(() => connectTo({ port: nobody.port }))).toEqual(['ECONNREFUSED', 'away']);
      expect(await failureOf(() => connectTo({ port: hangsUp.port }))).toEqual([undefined, 'away']);
      expect(await failureOf(() => connectTo({ port: saysNothing.port }))).toEqual([undefined, 'away']);
    } finally {
      await Promise.all([hangsUp.close(), saysNothing.close()]);
    }
  });

  async function connectTo(other: Partial<Pick<URL, 'username' | 'password' | 'pathname' | 'port'>>): Promise<void> {
    const url = Object.assign(new URL(database.url), other);
    const source = createDataSource({ url: url.href, poolSize: 1, applicationName: 'test' });
    await source.initialize();
    await source.destroy();
  }
});

/** A server on a port of its own that does with each connection what the test says. */
async function listen(onConnection: (socket: Socket) => void): Promise<{ port: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: String((server.address() as AddressInfo).port),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
