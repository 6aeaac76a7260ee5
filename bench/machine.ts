import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem, type } from 'node:os';

import type { NatsConnection } from '@nats-io/nats-core';
import pg from 'pg';

/** What the figures of a run depend on, in words. */
export async function describeMachine(databaseUrl: string, nc: NatsConnection): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  await client.end();
  const cores = cpus();
  const hardware = `${cores[0]?.model.trim() ?? 'unknown CPU'}, ${cores.length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const software = `Node ${process.versions.node}, PostgreSQL ${rows[0]?.server_version}, nats-server ${nc.info?.version}`;
  return `${hardware}; ${type()} ${release()}; ${software}; revision ${revision()}; ${new Date().toISOString().slice(0, 10)}`;
}

function revision(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ' with changes');
  } catch {
    return 'unknown';
  }
}
