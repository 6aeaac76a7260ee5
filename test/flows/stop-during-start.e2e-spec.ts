import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { TestStandalone } from '../harness/standalone.js';
import { waitFor } from '../harness/wait-for.js';

const list = (directory: string) => (existsSync(directory) ? readdirSync(directory) : []);

/** What can be seen from outside as the start goes on. */
const MILESTONES = {
  'the data directory is locked': (directory: string) => list(directory).includes('lock.1'),
  'nats-server starts': (directory: string) => existsSync(join(directory, 'nats/server.pid')),
  'the database is being made': (directory: string) =>
    list(join(directory, 'postgres')).some((name) => name.startsWith('new-')),
  'PostgreSQL starts': (directory: string) => existsSync(join(directory, 'postgres/cluster/postmaster.pid')),
  'the streams are made': (directory: string) => existsSync(join(directory, 'nats/jetstream/$G/streams/NEXO_INBOUND')),
};

async function stopAt(isReached: (directory: string) => boolean): Promise<TestStandalone> {
  const standalone = await TestStandalone.start();
  await waitFor(() => isReached(standalone.dataDirectory), { timeoutMs: 30_000 });
  const began = Date.now();
  standalone.process.kill('SIGTERM');
  expect(await standalone.process.ended).toEqual({ code: 0, signal: null });
  expect(Date.now() - began).toBeLessThan(10_000);
  expect(standalone.servers()).toEqual([]);
  expect(standalone.process.stdout).toBe('');
  return standalone;
}

describe('a signal during the start', () => {
  test.each(Object.entries(MILESTONES))('stops all of it in order when %s', async (_, isReached) => {
    await stopAt(isReached);
  });

  test('leaves nothing half-made for the next start', async () => {
    const { dataDirectory } = await stopAt(MILESTONES['the database is being made']);
    const next = await TestStandalone.start({ dataDirectory });
    await next.ready();
    next.process.kill('SIGTERM');
    expect(await next.process.ended).toEqual({ code: 0, signal: null });
  });
});
