import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ShutdownCoordinator } from '#runtime/shutdown.js';

import type { StandaloneConfig } from './config.js';
import { startEmbeddedNats } from './embedded-nats.js';
import { ensureDatabase, startEmbeddedPostgres } from './embedded-postgres.js';
import { findNatsServer } from './nats-server-binary.js';
import { partitionMappings } from './partition-mappings.js';
import type { ServerProcess } from './server-process.js';
import { StartError } from './start-error.js';

/** The database of an embedded PostgreSQL. */
export const DATABASE = 'holdline';
const STOP_LIMIT_MS = 4_000;

/** Where database and broker are, as a local client can use it. */
export interface ServerUrls {
  database: string;
  nats: string;
}

/** Starts the servers that the environment does not name, and has them stopped with the process. */
export async function startServers(
  config: StandaloneConfig,
  env: NodeJS.ProcessEnv,
  shutdown: ShutdownCoordinator,
): Promise<ServerUrls> {
  // Both are let finish before a failure of one is told, so that no server is left half-started.
  const [database, nats] = await Promise.allSettled([
    env['DATABASE_URL'] || startDatabase(config.dataDirectory, shutdown),
    env['NATS_URL'] || startBroker(config, env, shutdown),
  ]);
  if (database.status === 'rejected') throw database.reason;
  if (nats.status === 'rejected') throw nats.reason;
  return { database: database.value, nats: nats.value };
}

async function startDatabase(dataDirectory: string, shutdown: ShutdownCoordinator): Promise<string> {
  const { signal } = shutdown;
  const logFile = join(dataDirectory, 'postgres.log');
  const postgres = await startEmbeddedPostgres({ directory: join(dataDirectory, 'postgres'), logFile, signal });
  supervise('PostgreSQL', logFile, postgres.server, shutdown);
  await ensureDatabase(postgres, DATABASE);
  return postgres.url(DATABASE);
}

async function startBroker(
  { dataDirectory, HOLDLINE_PARTITIONS: partitions }: StandaloneConfig,
  env: NodeJS.ProcessEnv,
  shutdown: ShutdownCoordinator,
): Promise<string> {
  const { signal } = shutdown;
  const logFile = join(dataDirectory, 'nats.log');
  const binary = await findNatsServer(env, signal);
  const directory = join(dataDirectory, 'nats');
  const configFile = join(dataDirectory, 'nats.conf');
  const jetStream = `jetstream: { store_dir: ${JSON.stringify(directory)} }\n`;
  writeFileSync(configFile, jetStream + (partitions > 1 ? partitionMappings(partitions) : ''));
  const nats = await startEmbeddedNats({ binary, directory, configFile, logFile, signal });
  supervise('nats-server', logFile, nats.server, shutdown);
  return nats.url;
}

/** The two live and die together: without one of its servers Holdline cannot do its work. */
function supervise(title: string, logFile: string, server: ServerProcess, shutdown: ShutdownCoordinator): void {
  shutdown.onStop(title, STOP_LIMIT_MS, () => server.stop());
  void server.ended.then(() => shutdown.fail(new StartError(`${title} has ended by itself; ${logFile} may say why.`)));
}
