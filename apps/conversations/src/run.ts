import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import type { NatsConnection } from '@nats-io/nats-core';
import type { DataSource } from 'typeorm';

import { ChannelRequests } from '#broker/channel-requests.js';
import { connectBroker } from '#broker/connection.js';
import { JsonRpcServer } from '#broker/json-rpc-server.js';
import { RpcErrorFilter } from '#broker/rpc-error-filter.js';
import { StreamPublisher } from '#broker/stream-publisher.js';
import { createRedactor } from '#domain/redaction/redactor.js';
import type { Logger } from '#runtime/logger.js';
import type { Metrics } from '#runtime/metrics.js';
import type { ReadinessCheck } from '#runtime/readiness.js';
import { createDataSource } from '#store/data-source.js';
import { readFigures } from '#store/queries/read-health.js';
import { readOnce } from '#store/read.js';

import { ChannelReports } from './channel-reports.js';
import { auditUnread } from './commands/audit-unread.js';
import { StrangerLog } from './commands/stranger-log.js';
import type { ConversationsConfig } from './config.js';
import { ConversationsModule } from './conversations.module.js';
import type { Dependencies } from './dependencies.js';
import { every } from './every.js';
import { acknowledgeEscalations } from './escalations/acknowledge.js';
import { raiseAlarms } from './escalations/raise-alarms.js';
import { autoResume } from './handlers/auto-resume.js';
import { sweepOutbounds } from './outbound/sweep-outbounds.js';
import { OutboxRelay } from './outbox-relay.js';
import { PartitionOwner } from './partition-owner.js';
import { purgeInbounds } from './purge-inbounds.js';
import { readinessChecks } from './readiness-checks.js';
import { removeOld } from './retention/remove-old.js';

const LEASE = { leaseMs: 5_000, renewEveryMs: 1_500, retryEveryMs: 500 };
const BATCH = { maxMessages: 512, maxBytes: 4 * 1024 * 1024, maxWaitMs: 2 };
const POOL_SIZE = 12;
const AUTO_RESUME_EVERY_MS = 500;
const SWEEP_EVERY_MS = 1_000;
const ESCALATIONS_EVERY_MS = 500;
const PURGE_EVERY_MS = 1_000;
const FIGURES_EVERY_MS = 5_000;
const REMOVE_OLD_EVERY_MS = 3_600_000;

/** The process that writes conversations, running. */
export interface RunningConversations {
  /** What it needs to do its work. */
  checks: Record<string, ReadinessCheck>;
  /** Stops the intake, finishes what is in hand, publishes it, and closes its connections. */
  stop(): Promise<void>;
}

/**
 * Runs the gate, the relay and the commands. Database and streams must have been prepared.
 * @throws if the database cannot be reached at the start
 */
export async function runConversations(
  config: ConversationsConfig,
  logger: Logger,
  metrics: Metrics,
  signal?: AbortSignal,
): Promise<RunningConversations> {
  const nc = await connectBroker({
    ...config.broker,
    name: 'holdline conversations',
    logger,
    ...(signal === undefined ? {} : { signal }),
  });
  const dataSource = createDataSource({
    url: config.databaseUrl,
    poolSize: POOL_SIZE,
    applicationName: 'holdline conversations',
  });
  try {
    await dataSource.initialize();
    return await start(config, logger, metrics, nc, dataSource);
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy();
    await nc.close();
    throw error;
  }
}

async function start(
  config: ConversationsConfig,
  logger: Logger,
  metrics: Metrics,
  nc: NatsConnection,
  dataSource: DataSource,
): Promise<RunningConversations> {
  const publisher = new StreamPublisher(nc);
  const relay = new OutboxRelay({ dataSource, nc, publisher, logger, metrics, now: Date.now });
  const deps: Dependencies = {
    dataSource,
    relay,
    redactor: createRedactor(config.redactionRules),
    logger,
    metrics,
    adminAuth: config.adminAuth,
    strangers: new StrangerLog(dataSource, metrics, logger),
    channels: new ChannelRequests(nc, config.channelTimeoutMs),
    pendingQueueCap: config.pendingQueueCap,
    openTurns: config.openTurns,
    escalations: config.escalations,
    exclusiveReplies: config.exclusiveReplies,
    autoPauseOnExternalReply: config.autoPauseOnExternalReply,
    now: Date.now,
  };
  const service = await NestFactory.createMicroservice<MicroserviceOptions>(ConversationsModule.with(deps), {
    strategy: new JsonRpcServer({
      nc,
      serviceName: 'holdline-conversations',
      version: '0.1.0',
      logger,
      onRefused: (request, payload, answer) => auditUnread(deps, request, payload, answer),
    }),
    logger: ['error', 'warn'],
  });
  service.useGlobalFilters(new RpcErrorFilter());
  const owners = Array.from(
    { length: config.partitions },
    (_, partition) =>
      new PartitionOwner({ deps, nc, metrics, partition, partitions: config.partitions, ...LEASE, batch: BATCH }),
  );

  relay.run();
  for (const owner of owners) owner.run();
  await service.listen();
  const reports = new ChannelReports(deps, nc);
  reports.run();
  const report = (what: string) => (error: unknown) => logger.warn({ err: error }, `${what}; it is tried again`);
  const background = [
    every(AUTO_RESUME_EVERY_MS, () => autoResume(deps), report('due conversations could not be handed back')),
    every(SWEEP_EVERY_MS, () => sweepOutbounds(deps), report('messages without an outcome could not be found')),
    every(
      ESCALATIONS_EVERY_MS,
      () => acknowledgeEscalations(deps),
      report('contacts could not be told of escalations'),
    ),
    every(ESCALATIONS_EVERY_MS, () => raiseAlarms(deps), report('overdue escalations could not be found')),
    every(
      PURGE_EVERY_MS,
      () => purgeInbounds(dataSource, nc, logger, config.partitions),
      report('the inbound stream could not be purged'),
    ),
    every(
      REMOVE_OLD_EVERY_MS,
      (signal) => removeOld(deps, config.retention, signal),
      report('what is too old could not be removed'),
    ),
    every(
      FIGURES_EVERY_MS,
      async () => metrics.setStoredFigures(await readOnce(dataSource, readFigures)),
      report('the figures could not be read'),
    ),
  ];

  return {
    checks: readinessChecks(dataSource, nc, config.partitions),
    async stop() {
      await Promise.all([
        service.close(),
        reports.stop(),
        ...owners.map((owner) => owner.stop()),
        ...background.map((b) => b.stop()),
      ]);
      await relay.stop();
      publisher.close();
      await nc.drain().catch(() => nc.close());
      await dataSource.destroy();
    },
  };
}
