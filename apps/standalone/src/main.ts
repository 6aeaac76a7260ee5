import 'reflect-metadata';

import { createLogger } from '#runtime/logger.js';
import { ShutdownCoordinator } from '#runtime/shutdown.js';

import { readConfig } from './config.js';
import { reportFailure } from './report-failure.js';
import { runStandalone } from './run.js';

const logger = createLogger('holdline', 'info');
const shutdown = new ShutdownCoordinator({
  logger,
  totalLimitMs: 8_500,
  reportFailure: (error) => reportFailure(error, logger),
});

void shutdown.run(async () => {
  const config = readConfig(process.env, process.argv.slice(2));
  logger.level = config.HOLDLINE_LOG_LEVEL;
  const ready = await runStandalone(config, process.env, shutdown, logger);
  process.stdout.write(`${JSON.stringify(ready)}\n`);
});
