import { setTimeout as sleep } from 'node:timers/promises';

import type { Logger } from '#runtime/logger.js';
import { Metrics } from '#runtime/metrics.js';
import { failing, type Readiness, runChecks } from '#runtime/readiness.js';
import type { ShutdownCoordinator } from '#runtime/shutdown.js';

import { readConversationsConfig } from '../../conversations/src/config.js';
import { runConversations } from '../../conversations/src/run.js';
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
  const http = await startHttp(config.HOLDLINE_HTTP_PORT, {
    readiness: () => readiness(),
    registry: metrics.registry,
  });
  shutdown.onStop('HTTP', 500, () => http.stop());

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
  if (token !== undefined) process.stderr.write(`The first operator's token, shown this once: ${token}\n`);

  signal.throwIfAborted();
  const conversations = await runConversations(conversationsConfig, logger, metrics, signal);
  shutdown.onStop('conversations', 3_000, () => conversations.stop());
  readiness = () => runChecks(conversations.checks, CHECK_LIMIT_MS);

  if (config.demo) await startDemo(conversationsConfig.broker, logger, shutdown);
  await untilReady(readiness, signal);
  return { ready: true, http: http.url, nats: urls.nats, database: urls.database };
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
