import { connectBroker } from '#broker/connection.js';
import { ConfigError } from '#runtime/config.js';
import { createLogger } from '#runtime/logger.js';
import { ShutdownCoordinator } from '#runtime/shutdown.js';

import { readConfig } from './config.js';
import { runPlayground } from './run.js';

const logger = createLogger('playground');
const shutdown = new ShutdownCoordinator({
  logger,
  totalLimitMs: 8_000,
  reportFailure: (error) => {
    if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
    else logger.fatal({ err: error }, 'the playground has failed');
  },
});

void shutdown.run(async () => {
  const { broker, logLevel } = readConfig(process.env);
  logger.level = logLevel;
  const nc = await connectBroker({ ...broker, name: 'holdline playground', logger, signal: shutdown.signal });
  shutdown.onStop('broker connection', 1_000, () => nc.close());
  const playground = await runPlayground({ nc, logger });
  shutdown.onStop('playground', 5_000, () => playground.stop());
  logger.info('the playground runs');
});
