import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import pg from 'pg';

import { freePort } from './free-port.js';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.js';
import { processArguments } from './running-process.js';
import { endProcess, ServerProcess, type StopSignal } from './server-process.js';
import { StartError } from './start-error.js';
import { commandAs, unprivilegedUser, type UnprivilegedUser } from './unprivileged-user.js';

const SUPERUSER = 'holdline';
const READY_WITHIN_MS = 60_000;
/** Fast shutdown, then immediate shutdown (recovered at the next start), then the last resort. */
const STOP_SIGNALS: readonly StopSignal[] = [
  { signal: 'SIGINT', waitMs: 2_000 },
  { signal: 'SIGQUIT', waitMs: 1_000 },
  { signal: 'SIGKILL', waitMs: 1_000 },
];

export interface EmbeddedPostgresOptions {
  /** Absolute; holds the cluster, its password and nothing else. This process is its only user. */
  directory: string;
  logFile: string;
  /** Server settings on top of ours: `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
  /** Gives up the start. */
  signal: AbortSignal;
}

/** A PostgreSQL server of our own, on a free port of the loopback interface. */
export interface EmbeddedPostgres {
  server: ServerProcess;
  /** `postgres://user:password@127.0.0.1:port/<database>` */
  url(database: string): string;
}

/**
 * Creates the cluster if need be and starts it. A server of this directory that a killed process has left behind is
 * stopped first.
 * @throws {StartError} when that is not possible.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = await findPostgresBinaries();
  const user = prepareDirectory(options.directory);
  const password = readOrMakePassword(options.directory);
  const cluster = join(options.directory, 'cluster');
  await stopLeftBehind(cluster);
  if (!existsSync(cluster)) await initialise(binaries, user, cluster, password, options);
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const url = (database: string) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
    try {
      return { server: await start(binaries, user, cluster, port, url('postgres'), options), url };
    } catch (error) {
      const portWasTaken = readFileSync(options.logFile, 'utf8').includes('could not bind');
      if (!portWasTaken || attempt === 3) throw error;
    }
  }
}

/** The URL of a database of the server of this directory, if that runs, whoever has started it. */
export function runningPostgresUrl(directory: string, database: string): string | undefined {
  const cluster = join(directory, 'cluster');
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return undefined;
  const [pid, , , port] = readFileSync(pidFile, 'utf8').split('\n');
  if (processArguments(Number(pid))?.includes(cluster) !== true || !port) return undefined;
  return `postgres://${SUPERUSER}:${readOrMakePassword(directory)}@127.0.0.1:${port}/${database}`;
}

/** Makes a database unless it exists. */
export async function ensureDatabase(postgres: EmbeddedPostgres, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  try {
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}

function prepareDirectory(directory: string): UnprivilegedUser | undefined {
  const user = unprivilegedUser(directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  return user;
}

function readOrMakePassword(directory: string): string {
  const file = join(directory, 'password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(18).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

async function stopLeftBehind(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (processArguments(pid)?.includes(cluster) === true) await endProcess(pid, STOP_SIGNALS);
}

async function initialise(
  binaries: PostgresBinaries,
  user: UnprivilegedUser | undefined,
  cluster: string,
  password: string,
  options: EmbeddedPostgresOptions,
): Promise<void> {
  for (const name of readdirSync(options.directory)) {
    if (name.startsWith('new-')) rmSync(join(options.directory, name), { recursive: true, force: true });
  }
  const made = mkdtempSync(join(options.directory, 'new-'));
  const passwordFile = join(made, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== undefined) for (const path of [made, passwordFile]) chownSync(path, user.uid, user.gid);
  const newCluster = join(made, 'cluster');
  const args = [
    ...['--pgdata', newCluster, '--username', SUPERUSER, '--pwfile', passwordFile, '--auth=scram-sha-256'],
    // The same collation and case rules on every system, whatever its locales.
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...(options.settings?.['fsync'] === 'off' ? ['--no-sync'] : []),
  ];
  const initdb = await ServerProcess.spawn({
    title: 'initdb',
    ...commandAs(user, binaries.initdb, args, options.directory),
    logFile: options.logFile,
    stopSignals: STOP_SIGNALS,
  });
  await initdb.untilDone(options.signal);
  renameSync(newCluster, cluster);
  rmSync(made, { recursive: true, force: true });
}

async function start(
  binaries: PostgresBinaries,
  user: UnprivilegedUser | undefined,
  cluster: string,
  port: number,
  url: string,
  options: EmbeddedPostgresOptions,
): Promise<ServerProcess> {
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', ...options.settings };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = await ServerProcess.spawn({
    title: 'PostgreSQL',
    ...commandAs(user, binaries.postgres, ['-D', cluster, ...flags], options.directory),
    logFile: options.logFile,
    stopSignals: STOP_SIGNALS,
  });
  try {
    await server.untilReady(() => answers(url), READY_WITHIN_MS, options.signal);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function answers(url: string): Promise<true | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  // A connection that breaks while we ask is one that is not ready.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === '28P01') throw new StartError(`PostgreSQL refuses our password: ${message}.`);
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}
