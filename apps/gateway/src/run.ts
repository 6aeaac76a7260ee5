import type { AddressInfo } from 'node:net';

import type { NatsConnection } from '@nats-io/nats-core';
import type { Registry } from 'prom-client';

import { streamState } from '#broker/stream-reader.js';
import { STREAMS } from '#contracts/subjects.js';
import type { Logger } from '#runtime/logger.js';
import { type ReadinessCheck, type Readiness, runChecks } from '#runtime/readiness.js';

import { BrokerLink } from './broker-link.js';
import type { GatewayConfig } from './config.js';
import type { Dependencies } from './dependencies.js';
import { contractDocuments } from './documents/contract-documents.js';
import { EventHub } from './events/event-hub.js';
import { OpenStreams } from './events/open-streams.js';
import type { GatewayMetrics } from './gateway-metrics.js';
import { GatewayNotices } from './gateway-notices.js';
import { createHttpServer } from './http-server.js';
import { KnownTokens } from './known-tokens.js';
import { checkOperator } from './operator-check.js';
import { isLoopback } from './origin.js';
import { RateLimiter } from './rate-limiter.js';
import { EndedSessions } from './session/ended-sessions.js';
import { SessionSeal } from './session/session-seal.js';

const VERSION = '0.1.0';
const SESSION_LIFETIME_MS = 12 * 3_600_000;
const OPERATOR_CHECKS = { checkEveryMs: 5_000, maxUncheckedMs: 60_000 };
const CHECK_LIMIT_MS = 2_000;
/** What `nats micro ls` calls the process that carries out commands. */
const COMMANDS_SERVICE = 'holdline-conversations';

export interface GatewayOptions {
  config: GatewayConfig;
  /** `127.0.0.1` for this machine alone, `0.0.0.0` in a container. */
  host: string;
  /** 0 = any free one. */
  port: number;
  logger: Logger;
  /** What `/metrics` gives. */
  registry: Registry;
  /** Registered there. */
  metrics: GatewayMetrics;
  /** What `/readyz` asks; by default the gateway's own checks. */
  readiness?: () => Promise<Readiness>;
  /** The console's files. */
  consoleDirectory?: string;
}

/** HTTP, being served. */
export interface RunningGateway {
  /** `http://host:port` */
  url: string;
  /** What it needs to do its work. */
  checks: Record<string, ReadinessCheck>;
  /** From now on commands are carried out and events told. Until then and after `detach` they are answered 503. */
  attach(nc: NatsConnection): void;
  /** Ends the event streams and waits for the commands under way; the connection stays its owner's. */
  detach(): Promise<void>;
  /** Finishes the requests that are under way and serves nothing more. */
  stop(): Promise<void>;
}

/**
 * Serves HTTP, with or without a broker.
 * @throws the error of the operating system (`EADDRINUSE`, …) when it cannot listen
 */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { host, port, logger, registry, consoleDirectory } = options;
  const deps = makeDependencies(options);
  const { link, hub, streams, notices } = deps;
  const checks = readinessChecks(deps);
  const readiness = options.readiness ?? (() => runChecks(checks, CHECK_LIMIT_MS));
  const app = await createHttpServer(deps, { readiness, registry, consoleDirectory });
  try {
    await app.getHttpAdapter().getInstance().listen({ port, host });
  } catch (error) {
    await app.close();
    throw error;
  }
  const address = app.getHttpServer().address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    checks,
    attach(nc) {
      link.attach(nc);
      hub.run(nc);
      notices.run();
      streams.run();
    },
    async detach() {
      notices.stop();
      await streams.stop();
      await hub.stop();
      await link.detach();
      logger.debug('the gateway has let go of the broker');
    },
    stop: () => app.close(),
  };
}

function makeDependencies({ config, host, logger, metrics }: GatewayOptions): Dependencies {
  const link = new BrokerLink();
  const endedSessions = new EndedSessions();
  const streams = new OpenStreams({
    ...OPERATOR_CHECKS,
    check: (token) => checkOperator(link, token, 'transcripts_read'),
    logger,
  });
  const handlers = {
    sessionEnded: (session: { id: string; expiresAtMs: number }) => {
      endedSessions.note(session);
      streams.endSession(session.id);
    },
    operatorsChanged: () => streams.recheck(),
  };
  return {
    config,
    loopbackOnly: isLoopback(host),
    link,
    logger,
    metrics,
    limiter: new RateLimiter(config.requestsPerMinute),
    knownTokens: new KnownTokens(),
    seal: new SessionSeal(config.sessionSecret, SESSION_LIFETIME_MS),
    endedSessions,
    notices: new GatewayNotices(link, handlers, logger),
    hub: new EventHub(logger, metrics),
    streams,
    documents: contractDocuments(VERSION),
  };
}

/** The broker, somebody who carries out commands, and the firehose. */
function readinessChecks({ link, hub }: Dependencies): Record<string, ReadinessCheck> {
  return {
    broker: async () => streamState(connectionOf(link), STREAMS.events),
    commands: async () => connectionOf(link).request(`$SRV.PING.${COMMANDS_SERVICE}`, '', { timeout: CHECK_LIMIT_MS }),
    events: async () => {
      if (hub.position === undefined) throw new Error('events are not being read yet');
    },
  };
}

function connectionOf(link: BrokerLink): NatsConnection {
  try {
    return link.connection;
  } catch {
    throw new Error('there is no connection to the broker');
  }
}
