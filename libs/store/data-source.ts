import type { PoolClient } from 'pg';
import { DataSource } from 'typeorm';

import { ENTITIES } from './entities/index.js';
import { MIGRATIONS } from './migrations/index.js';

export interface StoreOptions {
  /** `postgres://user:password@host:port/database` */
  url: string;
  /** Most connections that this process holds. */
  poolSize: number;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
}

/**
 * How long a session may hold locks while its process says nothing. A process that was stopped inside a transaction
 * loses it after this time, so that another can take over within the partition lease.
 */
export const IDLE_IN_TRANSACTION_TIMEOUT_MS = 4_000;

/** A pool of connections with every time-out set; not connected until `initialize()`. */
export function createDataSource(options: StoreOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url: options.url,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    synchronize: false,
    logging: false,
    applicationName: options.applicationName,
    poolSize: options.poolSize,
    connectTimeoutMS: 2_000,
    // A lost idle connection is replaced by the pool at its next use, where a failure is reported.
    poolErrorHandler: () => undefined,
    extra: {
      pipeline: true,
      // A connection that is lost on its way from the pool to whoever asked for it has no other listener, and would
      // end the process; its next statement fails.
      onConnect: (client: PoolClient) => void client.on('error', () => undefined),
      keepAlive: true,
      idleTimeoutMillis: 60_000,
      statement_timeout: 15_000,
      lock_timeout: 4_500,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    },
  });
}
