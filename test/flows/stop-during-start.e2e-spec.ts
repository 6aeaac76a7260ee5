import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { TestStandalone } from '../harness/standalone.js';
import { waitFor } from '../harness/wait-for.js';

const list = (directory: string) => (existsSync(directory) ? readdirSync(directory) : []);

/** What can be seen from outside as the start goes on. */
const MILESTONES: [string, (directory: string) => boolean][] = [
  ['the data directory is locked', (directory) => list(directory).includes('lock.1')],
  ['nats-server starts', (directory) => existsSync(join(directory, 'nats', 'server.pid'))],
  ['the database is made', (directory) => list(join(directory, 'postgres')).some((name) => name.startsWith('new-'))],
  ['PostgreSQL starts', (directory) => existsSync(join(directory, 'postgres', 'cluster', 'postmaster.pid'))],
  ['the streams are there', (directory) => existsSync(join(directory, 'nats/jetstream/$G/streams/NEXO_INBOUND'))],
];

describe('a signal during the start', () => {
  test.each(MILESTONES)('stops all of it in order when %s', async (_, isReached) => {
    const standalone = await TestStandalone.start();
    await waitFor(() => isReached(standalone.dataDirectory), { timeoutMs: 30_000 });
    const began = Date.now();
    standalone.process.kill('SIGTERM');
    expect(await standalone.process.ended).toEqual({ code: 0, signal: null });
    expect(Date.now() - began).toBeLessThan(10_000);
    expect(standalone.servers()).toEqual([]);
    expect(standalone.process.stdout).toBe('');

    const next = await TestStandalone.start({ dataDirectory: standalone.dataDirectory });
    await next.ready();
    next.process.kill('SIGTERM');
    expect(await next.process.ended).toEqual({ code: 0, signal: null });
  });
});
