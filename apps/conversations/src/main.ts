import 'reflect-metadata';

import { ConfigError } from '#runtime/config.js';
import { startHealthServer } from '#runtime/health-server.js';
import { createLogger } from '#runtime/logger.js';
import { Metrics } from '#runtime/metrics.js';
import { runChecks } from '#runtime/readiness.js';
import { ShutdownCoordinator } from '#runtime/shutdown.js';

import { readConfig } from './config.js';
import { runConversations } from './run.js';

const STOP_LIMIT_MS = 9_000;
const CHECK_LIMIT_MS = 2_000;

const logger = createLogger('conversations');
const shutdown = new ShutdownCoordinator({
  logger,
  totalLimitMs: STOP_LIMIT_MS,
  reportFailure: (error) => {
    if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
    else logger.fatal({ err: error }, 'conversations has failed');
  },
});

void shutdown.run(async () => {
  const config = readConfig(process.env);
  logger.level = config.logLevel;
  const metrics = new Metrics();
  const conversations = await runConversations(config.conversations, logger, metrics, shutdown.signal);
  shutdown.onStop('conversations', STOP_LIMIT_MS, () => conversations.stop());
  const readiness = () => runChecks(conversations.checks, CHECK_LIMIT_MS);
  const { registry } = metrics;
  const health = await startHealthServer({ host: config.httpHost, port: config.httpPort, readiness, registry });
  shutdown.onStop('health', CHECK_LIMIT_MS, () => health.stop());
  logger.info({ http: health.url }, 'ready');
});
