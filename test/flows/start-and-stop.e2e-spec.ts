import { createServer } from 'node:net';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';

import { connect } from '@nats-io/transport-node';
import pg from 'pg';

import type { ReadyLine } from '../../apps/standalone/src/run.js';
import { TestNats } from '../harness/nats.js';
import { TestDatabase } from '../harness/postgres.js';
import { runDirectory } from '../harness/run.js';
import { TestStandalone } from '../harness/standalone.js';

const STOPPED_IN_ORDER = { code: 0, signal: null };
const STOP_LIMIT_MS = 10_000;

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function streamNames(url: string): Promise<string[]> {
  const nc = await connect({ servers: url });
  try {
    return (await nc.request('$JS.API.STREAM.NAMES')).json<{ streams: string[] }>().streams.sort();
  } finally {
    await nc.close();
  }
}

async function expectAllOfItWorks(ready: ReadyLine): Promise<void> {
  expect((await fetch(`${ready.http}/healthz`)).status).toBe(200);
  expect((await fetch(`${ready.http}/readyz`)).status).toBe(200);
  expect(await query(ready.database, 'SELECT count(*)::int AS count FROM operators')).toEqual([{ count: 1 }]);
  expect(await streamNames(ready.nats)).toEqual(['NEXO_AGENT_EVENTS', 'NEXO_INBOUND', 'NEXO_QUARANTINE', 'NEXO_TURNS']);
}

async function stop(standalone: TestStandalone, send = () => standalone.process.kill('SIGTERM')): Promise<void> {
  const began = Date.now();
  send();
  expect(await standalone.process.ended).toEqual(STOPPED_IN_ORDER);
  expect(Date.now() - began).toBeLessThan(STOP_LIMIT_MS);
  expect(standalone.servers()).toEqual([]);
}

describe('everything in one process', () => {
  test('starts from nothing, prints one line with URLs that work, and SIGTERM stops all of it', async () => {
    const standalone = await TestStandalone.start();
    await expectAllOfItWorks(await standalone.ready());
    expect(standalone.servers()).toHaveLength(2);
    await stop(standalone);
    expect(standalone.process.stdout.trim().split('\n')).toHaveLength(1);
  });

  test('keeps its data from one start to the next and shows the first token only once', async () => {
    const first = await TestStandalone.start();
    await query((await first.ready()).database, 'CREATE TABLE kept AS SELECT 42 AS answer');
    expect(first.process.stderr).toMatch(/first operator's token, shown this once: \S{40,}/);
    expect(first.process.stderr).toMatch(/The console, logged in with it: http:\/\/127\.0\.0\.1:\d+\/#token=\S{40,}/);
    await stop(first);

    const second = await TestStandalone.start({ dataDirectory: first.dataDirectory });
    const ready = await second.ready();
    expect(await query(ready.database, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await expectAllOfItWorks(ready);
    await stop(second);
    expect(second.process.stderr).not.toContain('token');
  });

  test('through npm stops at SIGTERM to npm alone', async () => {
    const standalone = await TestStandalone.start({ throughNpm: true });
    await expectAllOfItWorks(await standalone.ready());
    await stop(standalone);
  });

  test('through npm stops at Ctrl-C, which reaches npm and all it runs, also again and again', async () => {
    const standalone = await TestStandalone.start({ throughNpm: true });
    await standalone.ready();
    await stop(standalone, () => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGINT'] as const) standalone.process.killGroup(signal);
    });
  });

  test('works in a directory that is closed to everybody else and has blanks in its name, with partitions', async () => {
    const standalone = await TestStandalone.start({
      dataDirectory: join(mkdtempSync(join(runDirectory(), 'closed-')), 'data # of "Holdline"'),
      env: { HOLDLINE_PARTITIONS: '4' },
    });
    await expectAllOfItWorks(await standalone.ready());
    await stop(standalone);
  });

  test('uses the servers that the environment names and starts none of its own', async () => {
    const database = await TestDatabase.create();
    const nats = await TestNats.start();
    const standalone = await TestStandalone.start({ env: { DATABASE_URL: database.url, NATS_URL: nats.url } });
    const ready = await standalone.ready();
    expect(ready).toMatchObject({ database: database.url, nats: nats.url });
    await expectAllOfItWorks(ready);
    expect(standalone.servers()).toEqual([]);
    await stop(standalone);
    await nats.stop();
    await database.drop();
  });
});

describe('the HTTP port', () => {
  const listener = createServer();
  let port: number;
  beforeAll(async () => {
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    port = (listener.address() as { port: number }).port;
  });
  afterAll(() => new Promise((resolve) => listener.close(resolve)));

  test('is refused in one sentence when it was asked for and is taken', async () => {
    const standalone = await TestStandalone.start({ env: { HOLDLINE_HTTP_PORT: String(port) } });
    expect(await standalone.process.ended).toEqual({ code: 1, signal: null });
    expect(standalone.process.stderr).toBe(
      `Port ${port} of HOLDLINE_HTTP_PORT cannot be used: another program listens on it.\n`,
    );
    expect(standalone.process.stdout).toBe('');
    expect(standalone.servers()).toEqual([]);
  });

  test('is any free one when none was asked for and 8080 is taken', async () => {
    const first = await TestStandalone.start({ env: { HOLDLINE_HTTP_PORT: '' } });
    const second = await TestStandalone.start({ env: { HOLDLINE_HTTP_PORT: '' } });
    const urls = [(await first.ready()).http, (await second.ready()).http];
    expect(new Set(urls).size).toBe(2);
    await Promise.all([stop(first), stop(second)]);
  });
});

describe('settings', () => {
  test('that cannot be used end the start in one sentence', async () => {
    const standalone = await TestStandalone.start({ env: { HOLDLINE_HTTP_PORT: 'eighty' } });
    expect(await standalone.process.ended).toEqual({ code: 1, signal: null });
    expect(standalone.process.stderr).toBe(
      'HOLDLINE_HTTP_PORT must be a whole number from 0 to 65535, but is "eighty".\n',
    );
  });
});
