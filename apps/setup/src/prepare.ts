import { connectBroker } from '#broker/connection.js';
import { ensureStreams } from '#broker/topology.js';
import type { BrokerAddress } from '#runtime/config.js';
import type { Logger } from '#runtime/logger.js';
import { createDataSource } from '#store/data-source.js';
import { migrate } from '#store/migrate.js';
import { ensureFirstOperator } from '#store/operators.js';

export interface PrepareOptions {
  databaseUrl: string;
  broker: BrokerAddress;
  partitions: number;
  /** The first operator's token; one is made if absent and there is no operator yet. */
  bootstrapToken?: string | undefined;
  logger: Logger;
  /** Gives up. */
  signal: AbortSignal;
}

/**
 * Makes database and broker ready for the services: migrations, streams, first operator. What is there already stays
 * as it is, so that it can run at every start.
 * @returns the first operator's token if one had to be made; it cannot be read again.
 */
export async function prepare(options: PrepareOptions): Promise<string | undefined> {
  await prepareBroker(options);
  options.signal.throwIfAborted();
  return prepareDatabase(options);
}

async function prepareBroker({ broker, partitions, logger, signal }: PrepareOptions): Promise<void> {
  const nc = await connectBroker({ ...broker, name: 'holdline setup', logger, signal });
  try {
    for (const { name, action } of await ensureStreams(nc, { partitions })) logger.info({ stream: name }, action);
  } finally {
    await nc.close();
  }
}

async function prepareDatabase({ databaseUrl, bootstrapToken, logger }: PrepareOptions): Promise<string | undefined> {
  const dataSource = createDataSource({ url: databaseUrl, poolSize: 2, applicationName: 'holdline setup' });
  await dataSource.initialize();
  try {
    const applied = await migrate(dataSource);
    logger.info({ migrations: applied }, 'database is up to date');
    return await ensureFirstOperator(dataSource, { bootstrapToken });
  } finally {
    await dataSource.destroy();
  }
}
