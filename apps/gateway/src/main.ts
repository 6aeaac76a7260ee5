import 'reflect-metadata';

import { collectDefaultMetrics, Registry } from 'prom-client';

import { connectBroker } from '#broker/connection.js';
import { createLogger } from '#runtime/logger.js';
import { ShutdownCoordinator } from '#runtime/shutdown.js';

import { readConfig } from './config.js';
import { BUILT_CONSOLE } from './console-files.js';
import { GatewayMetrics } from './gateway-metrics.js';
import { startGateway } from './run.js';

const STOP_LIMIT_MS = 9_000;

const logger = createLogger('gateway');
const shutdown = new ShutdownCoordinator({ logger, totalLimitMs: STOP_LIMIT_MS });

void shutdown.run(async () => {
  const { gateway: config, broker, httpHost: host, httpPort: port, logLevel } = readConfig(process.env);
  logger.level = logLevel;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const metrics = new GatewayMetrics(registry);
  const gateway = await startGateway({
    config,
    host,
    port,
    logger,
    registry,
    metrics,
    consoleDirectory: BUILT_CONSOLE,
  });
  shutdown.onStop('HTTP', 1_000, () => gateway.stop());
  logger.info({ http: gateway.url }, 'HTTP is served');
  const nc = await connectBroker({ ...broker, name: 'holdline gateway', logger, signal: shutdown.signal });
  shutdown.onStop('broker connection', 500, () => nc.close());
  gateway.attach(nc);
  shutdown.onStop('gateway', 7_000, () => gateway.detach());
  logger.info('ready');
});
