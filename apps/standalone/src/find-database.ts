import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { ShutdownCoordinator } from '#runtime/shutdown.js';

import { acquireDataDirectory } from './data-directory.js';
import { runningPostgresUrl, startEmbeddedPostgres } from './embedded-postgres.js';
import { DATABASE } from './servers.js';
import { StartError } from './start-error.js';

const STOP_LIMIT_MS = 4_000;

/**
 * The URL of the database of a data directory; where its server does not run, it is started until this process stops.
 * @throws {StartError} where there is none
 */
export async function findDatabase(dataDirectory: string, shutdown: ShutdownCoordinator): Promise<string> {
  const directory = join(dataDirectory, 'postgres');
  if (!existsSync(directory)) {
    throw new StartError(`There is no database in ${dataDirectory}: set DATABASE_URL or HOLDLINE_DATA_DIR.`);
  }
  const running = runningPostgresUrl(directory, DATABASE);
  if (running !== undefined) return running;
  const held = acquireDataDirectory(dataDirectory);
  shutdown.onStop('the data directory', 100, () => held.release());
  const logFile = join(dataDirectory, 'postgres.log');
  const postgres = await startEmbeddedPostgres({ directory, logFile, signal: shutdown.signal });
  shutdown.onStop('PostgreSQL', STOP_LIMIT_MS, () => postgres.server.stop());
  return postgres.url(DATABASE);
}
