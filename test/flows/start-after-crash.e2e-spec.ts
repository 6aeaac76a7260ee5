import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import pg from 'pg';

import { TestProcess } from '../harness/child-process.js';
import { makeTestDirectory } from '../harness/run.js';
import { TestStandalone } from '../harness/standalone.js';
import { waitFor } from '../harness/wait-for.js';

const STOPPED_IN_ORDER = { code: 0, signal: null };

async function stop(standalone: TestStandalone): Promise<void> {
  standalone.process.kill('SIGTERM');
  expect(await standalone.process.ended).toEqual(STOPPED_IN_ORDER);
  expect(standalone.servers()).toEqual([]);
}

describe('a data directory', () => {
  test('has one user: a second start is refused in one sentence and the first goes on', async () => {
    const first = await TestStandalone.start();
    const { http } = await first.ready();
    const second = await TestStandalone.start({ dataDirectory: first.dataDirectory });
    expect(await second.process.ended).toEqual({ code: 1, signal: null });
    expect(second.process.stderr).toBe(
      `The data directory ${first.dataDirectory} is in use by process ${first.process.pid}: ` +
        'stop that one, or name another directory with HOLDLINE_DATA_DIR.\n',
    );
    expect((await fetch(`${http}/readyz`)).status).toBe(200);
    await stop(first);
  });

  test('of many starts at once is given to one', async () => {
    const first = await TestStandalone.start();
    const others = await Promise.all(
      Array.from({ length: 3 }, () => TestStandalone.start({ dataDirectory: first.dataDirectory })),
    );
    const all = [first, ...others];
    const running = await waitFor(
      () => {
        const left = all.filter((standalone) => !standalone.process.hasEnded);
        return left.length === 1 && left[0]?.process.stdout !== '' && left;
      },
      { timeoutMs: 30_000 },
    );
    await stop(running[0] as TestStandalone);
  });

  test('whose user was killed is used again, with its servers that were left behind stopped first', async () => {
    const killed = await TestStandalone.start();
    const { database } = await killed.ready();
    const client = new pg.Client({ connectionString: database });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('CREATE TABLE kept AS SELECT 42 AS answer');
    killed.process.kill('SIGKILL');
    await killed.process.ended;
    expect(killed.servers()).toHaveLength(2);

    const next = await TestStandalone.start({ dataDirectory: killed.dataDirectory });
    const ready = await next.ready();
    expect(next.servers()).toHaveLength(2);
    const again = new pg.Client({ connectionString: ready.database });
    await again.connect();
    expect((await again.query('SELECT answer FROM kept')).rows).toEqual([{ answer: 42 }]);
    await again.end();
    await stop(next);
  });

  test('that names a former server by a number that a stranger has now leaves the stranger alone', async () => {
    const stranger = await TestProcess.start({ command: 'sleep', args: ['600'] });
    const dataDirectory = makeTestDirectory('standalone');
    mkdirSync(join(dataDirectory, 'nats'));
    writeFileSync(join(dataDirectory, 'nats', 'server.pid'), String(stranger.pid));

    const standalone = await TestStandalone.start({ dataDirectory });
    await standalone.ready();
    expect(stranger.hasEnded).toBe(false);
    await stop(standalone);
    await stranger.destroy();
  });
});

describe('a server that ends by itself', () => {
  test.each([
    ['PostgreSQL', 'postgres', (directory: string) => readFileSync(join(directory, 'postgres/cluster/postmaster.pid'))],
    ['nats-server', 'nats', (directory: string) => readFileSync(join(directory, 'nats/server.pid'))],
  ])('ends Holdline with a sentence: %s', async (title, log, readPid) => {
    const standalone = await TestStandalone.start();
    await standalone.ready();
    process.kill(Number(readPid(standalone.dataDirectory).toString().split('\n')[0]), 'SIGKILL');
    expect(await standalone.process.ended).toEqual({ code: 1, signal: null });
    const logFile = join(standalone.dataDirectory, `${log}.log`);
    expect(standalone.process.stderr).toContain(`${title} has ended by itself; ${logFile} may say why.\n`);
    await waitFor(() => standalone.servers().length === 0);
  });
});
