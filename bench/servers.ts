import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { startEmbeddedNats } from '../apps/standalone/src/embedded-nats.js';
import { ensureDatabase, startEmbeddedPostgres } from '../apps/standalone/src/embedded-postgres.js';
import { findNatsServer } from '../apps/standalone/src/nats-server-binary.js';

/** The servers that everybody is measured on. */
export interface Servers {
  natsUrl: string;
  /** Makes the database unless it exists; `postgres://…` */
  database(name: string): Promise<string>;
  /** Ends both and deletes their data. */
  stop(): Promise<void>;
}

/** Where the servers and processes of a run keep their files, on the disk that `npm start` uses too. */
export const WORK_DIRECTORY = resolve('.holdline-bench');

/** Starts a PostgreSQL with its default, durable settings and a nats-server, both empty and on the loopback interface. */
export async function startServers(signal: AbortSignal): Promise<Servers> {
  rmSync(WORK_DIRECTORY, { recursive: true, force: true });
  mkdirSync(WORK_DIRECTORY, { mode: 0o711 });
  const postgres = await startEmbeddedPostgres({
    directory: join(WORK_DIRECTORY, 'postgres'),
    logFile: join(WORK_DIRECTORY, 'postgres.log'),
    signal,
  });
  const stopPostgres = () => postgres.server.stop();
  try {
    const nats = await startEmbeddedNats({
      binary: await findNatsServer(process.env, signal),
      directory: join(WORK_DIRECTORY, 'nats'),
      logFile: join(WORK_DIRECTORY, 'nats.log'),
      signal,
    });
    return {
      natsUrl: nats.url,
      async database(name) {
        await ensureDatabase(postgres, name);
        return postgres.url(name);
      },
      async stop() {
        await Promise.all([nats.server.stop(), stopPostgres()]);
        for (const data of ['postgres', 'nats']) rmSync(join(WORK_DIRECTORY, data), { recursive: true, force: true });
      },
    };
  } catch (error) {
    await stopPostgres();
    throw error;
  }
}
