import { createConnection, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { jest } from '@jest/globals';

import { createDataSource } from '#store/data-source.js';
import { type Transaction, withTransaction } from '#store/transaction.js';

import { newScope } from '../../../../test/harness/client.js';
import { CommandHarness, requestOf } from '../../../../test/harness/commands.js';
import type { TestOperator } from '../../../../test/harness/harness.js';
import { waitFor } from '../../../../test/harness/wait-for.js';
import { processingState } from '../handlers/processing-state.js';
import type { CommandDependencies } from './command-dependencies.js';
import { runCommand } from './run-command.js';

const PAUSE = 'nexo/admin/processing/pause';
const STATE = 'nexo/admin/processing/state';
const ANSWER_WITHIN_MS = 5_000;

describe('a command while the database has trouble', () => {
  let harness: CommandHarness;
  let operator: TestOperator;

  beforeAll(async () => {
    harness = await CommandHarness.create();
    operator = await harness.createOperator();
  });
  afterAll(() => harness.close());

  const askState = (deps: CommandDependencies, request = requestOf(operator)) =>
    runCommand(deps, STATE, processingState, { scope: newScope() }, request);

  const command = (work: () => Promise<unknown>, request = requestOf(operator)) =>
    runCommand(harness.dependencies(), STATE, work as never, { scope: newScope() }, request);

  it('is answered unavailable while it accepts no connections, and carried out when it is back', async () => {
    const deps = harness.dependencies();
    await expect(askState(deps)).resolves.toEqual({ state: { state: 'agent_active' } });
    await harness.database.cutOff();
    try {
      const startedAt = performance.now();
      await expect(askState(deps)).rejects.toMatchObject({ code: -32013, data: { reason: 'unavailable' } });
      expect(performance.now() - startedAt).toBeLessThan(ANSWER_WITHIN_MS);
    } finally {
      await harness.database.bringBack();
    }
    await expect(waitFor(() => askState(deps))).resolves.toEqual({ state: { state: 'agent_active' } });
  });

  it.each(['token', 'trusted'] as const)(
    'is answered unavailable within 5 s while it hangs (%s)',
    async (adminAuth) => {
      const proxy = await HangingProxy.before(harness.database.url);
      const dataSource = createDataSource({ url: proxy.url, poolSize: 2, applicationName: 'test' });
      await dataSource.initialize();
      const deps = { ...harness.dependencies(dataSource), adminAuth };
      const pause = { scope: newScope(), operator_token_hash: operator.hash };
      try {
        await Promise.all([askState(deps), askState(deps)]);
        proxy.hang();
        const startedAt = performance.now();
        const write = (() => withTransaction(dataSource, async () => ({}))) as never;
        await Promise.all([
          expect(askState(deps)).rejects.toMatchObject({ code: -32013 }),
          expect(runCommand(deps, PAUSE, write, pause, requestOf(operator))).rejects.toMatchObject({ code: -32013 }),
        ]);
        expect(performance.now() - startedAt).toBeLessThan(ANSWER_WITHIN_MS);
      } finally {
        proxy.resume();
        await dataSource.destroy();
        await proxy.close();
      }
    },
    20_000,
  );

  it('is answered unavailable when its connection is broken in the middle, and not run again', async () => {
    const work = jest.fn(() =>
      withTransaction(harness.dataSource, (tx) =>
        tx.rows({ name: 'end', text: 'SELECT pg_terminate_backend(pg_backend_pid())' }),
      ),
    );
    const request = requestOf(operator);
    await expect(command(work, request)).rejects.toMatchObject({ code: -32013 });
    expect(work).toHaveBeenCalledTimes(1);
    const row = await waitFor(async () => (await harness.audit(request.correlationId))[0]);
    expect(row).toMatchObject({ outcome: 'error', reason: 'unavailable', changed: false });
  });

  it('is run again when it lost a deadlock', async () => {
    await harness.database.query('CREATE TABLE pairs (id int PRIMARY KEY); INSERT INTO pairs VALUES (1), (2)');
    const work = jest.fn(async (first: number, second: number, meet: () => Promise<unknown>) =>
      withTransaction(harness.dataSource, async (tx) => {
        await lockPair(tx, first);
        await meet();
        await lockPair(tx, second);
        return {};
      }),
    );
    const meeting = meetingOf(2);
    await expect(
      Promise.all([command(() => work(1, 2, meeting)), command(() => work(2, 1, meeting))]),
    ).resolves.toEqual([{}, {}]);
    expect(work).toHaveBeenCalledTimes(3);
  });

  it('is given up after three tries', async () => {
    const work = jest.fn(() =>
      withTransaction(harness.dataSource, (tx) =>
        tx.rows({ name: 'fail', text: `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$` }),
      ),
    );
    await expect(command(work)).rejects.toMatchObject({ code: -32013 });
    expect(work).toHaveBeenCalledTimes(3);
  });

  const lockPair = (tx: Transaction, id: number) =>
    tx.rows({ name: 'lock-pair', text: 'SELECT FROM pairs WHERE id = $1 FOR UPDATE' }, [id]);
});

/** Resolves for everybody once `count` have come; later comers do not wait. */
function meetingOf(count: number): () => Promise<void> {
  let open: () => void;
  let come = 0;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    come += 1;
    if (come === count) open();
    return opened;
  };
}

/** Stands before a PostgreSQL and can make it look as if it had been stopped: connections stay, nothing is answered. */
class HangingProxy {
  private readonly sockets = new Set<Socket>();
  private hanging = false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async before(url: string): Promise<HangingProxy> {
    const target = new URL(url);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxied = new URL(url);
    proxied.port = String((server.address() as AddressInfo).port);
    const proxy = new HangingProxy(server, proxied.href);
    server.on('connection', (socket) => {
      const upstream = createConnection(Number(target.port), target.hostname);
      proxy.connect(socket, upstream);
      proxy.connect(upstream, socket);
    });
    return proxy;
  }

  hang(): void {
    this.hanging = true;
    for (const socket of this.sockets) socket.pause();
  }

  resume(): void {
    this.hanging = false;
    for (const socket of this.sockets) socket.resume();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private connect(from: Socket, to: Socket): void {
    this.sockets.add(from);
    from.on('data', (chunk) => to.write(chunk));
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
    if (this.hanging) from.pause();
  }
}
