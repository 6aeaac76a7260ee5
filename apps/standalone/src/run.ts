import { setTimeout as sleep } from 'node:timers/promises';

import { connectBroker } from '#broker/connection.js';
import type { BrokerAddress } from '#runtime/config.js';
import type { Logger } from '#runtime/logger.js';
import { Metrics } from '#runtime/metrics.js';
import { failing, type Readiness, runChecks } from '#runtime/readiness.js';
import type { ShutdownCoordinator } from '#runtime/shutdown.js';

import { readConversationsConfig } from '../../conversations/src/config.js';
import { runConversations } from '../../conversations/src/run.js';
import { readGatewayConfig } from '../../gateway/src/config.js';
import { GatewayMetrics } from '../../gateway/src/gateway-metrics.js';
import type { RunningGateway } from '../../gateway/src/run.js';
import { prepare } from '../../setup/src/prepare.js';
import type { StandaloneConfig } from './config.js';
import { acquireDataDirectory } from './data-directory.js';
import { startDemo } from './demo.js';
import { startHttp } from './http.js';
import { startServers } from './servers.js';
import { StartError } from './start-error.js';

const CHECK_LIMIT_MS = 2_000;
/** A former process that was killed keeps its partitions for some seconds more. */
const READY_WITHIN_MS = 30_000;
const READY_POLL_MS = 50;

/** What is printed once everything runs: URLs that a local client can use as they are. */
export interface ReadyLine {
  ready: true;
  http: string;
  nats: string;
  database: string;
}

/**
 * Starts everything in this process, each part with its stop step.
 * @throws {StartError | ConfigError} in one sentence where the user can do something about it.
 */
export async function runStandalone(
  config: StandaloneConfig,
  env: NodeJS.ProcessEnv,
  shutdown: ShutdownCoordinator,
  logger: Logger,
): Promise<ReadyLine> {
  const { signal } = shutdown;
  const directory = acquireDataDirectory(config.dataDirectory);
  shutdown.onStop('the data directory', 100, () => directory.release());

  const metrics = new Metrics();
  let readiness = async (): Promise<Readiness> => ({ start: 'it has not ended yet' });
  const gateway = await startHttp(config.HOLDLINE_HTTP_PORT, {
    config: readGatewayConfig(env),
    logger,
    readiness: () => readiness(),
    registry: metrics.registry,
    metrics: new GatewayMetrics(metrics.registry),
  });
  shutdown.onStop('HTTP', 500, () => gateway.stop());

  const urls = await startServers(config, env, shutdown);
  signal.throwIfAborted();
  const conversationsConfig = readConversationsConfig(env, { databaseUrl: urls.database, natsUrl: urls.nats });
  const token = await prepare({
    databaseUrl: urls.database,
    broker: conversationsConfig.broker,
    partitions: config.HOLDLINE_PARTITIONS,
    bootstrapToken: config.HOLDLINE_BOOTSTRAP_TOKEN,
    logger,
    signal,
  });
  if (token !== undefined) {
    process.stderr.write(`The first operator's token, shown this once: ${token}\n`);
    process.stderr.write(`The console, logged in with it: ${gateway.url}/#token=${encodeURIComponent(token)}\n`);
  }

  signal.throwIfAborted();
  const conversations = await runConversations(conversationsConfig, logger, metrics, signal);
  shutdown.onStop('conversations', 3_000, () => conversations.stop());
  await attachGateway(gateway, conversationsConfig.broker, logger, shutdown);
  readiness = () => runChecks({ ...gateway.checks, ...conversations.checks }, CHECK_LIMIT_MS);

  if (config.demo) await startDemo(conversationsConfig.broker, logger, shutdown);
  await untilReady(readiness, signal);
  return { ready: true, http: gateway.url, nats: urls.nats, database: urls.database };
}

/** On a connection of its own, so that a flood over HTTP does not hold up the conversations' messages. */
async function attachGateway(
  gateway: RunningGateway,
  broker: BrokerAddress,
  logger: Logger,
  shutdown: ShutdownCoordinator,
): Promise<void> {
  const nc = await connectBroker({ ...broker, name: 'holdline gateway', logger, signal: shutdown.signal });
  shutdown.onStop("the gateway's connection", 500, () => nc.close());
  gateway.attach(nc);
  shutdown.onStop('the gateway', 1_500, () => gateway.detach());
}

async function untilReady(readiness: () => Promise<Readiness>, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const checks = await readiness();
    signal.throwIfAborted();
    const failed = failing(checks);
    if (failed.length === 0) return;
    if (Date.now() > deadline) {
      throw new StartError(
        `Holdline does not become ready: ${failed.map((name) => `${name}: ${checks[name]}`).join('; ')}.`,
      );
    }
    await sleep(READY_POLL_MS);
  }
}
