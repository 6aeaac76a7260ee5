import { setTimeout as delay } from 'node:timers/promises';
import { AuthorizationError, type NatsConnection } from '@nats-io/nats-core';
import { connect, type NodeConnectionOptions } from '@nats-io/transport-node';
import { type BrokerLogger, SILENT_LOGGER } from './broker-logger.js';
import { watchStatus } from './connection-status.js';

export interface BrokerOptions {
  /** URLs or host:port, e.g. `nats://127.0.0.1:4222`; several name the servers of one cluster. */
  servers: string | string[];
  user?: string;
  pass?: string;
  token?: string;
  /** Shown in the server's monitoring. */
  name: string;
  /** Prefix of the subjects that answers come to. Default `_INBOX.<user>`, as `nats/nats-server.conf` demands. */
  inboxPrefix?: string;
  logger?: BrokerLogger;
  /** Ends the wait for the first connection. */
  signal?: AbortSignal;
}

const FIRST_CONNECT_RETRY_MS = 500;

/**
 * Connects, waiting as long as it takes for a server to be there, and reconnects for ever afterwards.
 * Refused credentials reject at once on the first connection; later they are retried like any other failure.
 * @throws AuthorizationError when the server refuses the credentials; the signal's reason when it aborts.
 */
export async function connectBroker(options: BrokerOptions): Promise<NatsConnection> {
  const logger = options.logger ?? SILENT_LOGGER;
  for (let attempt = 1; ; attempt++) {
    options.signal?.throwIfAborted();
    try {
      const nc = await connect(clientOptions(options));
      logConnectionChanges(nc, logger);
      return nc;
    } catch (error) {
      if (error instanceof AuthorizationError) throw error;
      if (attempt === 1) logger.warn({ servers: options.servers, err: error }, 'waiting for the broker');
      await delay(FIRST_CONNECT_RETRY_MS, undefined, options.signal ? { signal: options.signal } : {});
    }
  }
}

const ONE_PLAIN_TOKEN = /^[\w-]+$/;

function clientOptions({ servers, user, pass, token, name, ...more }: BrokerOptions): NodeConnectionOptions {
  const ownPrefix = user !== undefined && ONE_PLAIN_TOKEN.test(user) ? `_INBOX.${user}` : undefined;
  const inboxPrefix = more.inboxPrefix ?? ownPrefix;
  return {
    servers,
    name,
    ...(user !== undefined && { user }),
    ...(pass !== undefined && { pass }),
    ...(token !== undefined && { token }),
    ...(inboxPrefix !== undefined && { inboxPrefix }),
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    ignoreAuthErrorAbort: true,
    // A half-open link is noticed after two unanswered pings; the client's default would take four minutes.
    pingInterval: 5_000,
    maxPingOut: 2,
    timeout: 5_000,
    // An Error object a request is a third of the cost of publishing.
    noAsyncTraces: true,
  };
}

function logConnectionChanges(nc: NatsConnection, logger: BrokerLogger): void {
  watchStatus(nc, (status) => {
    switch (status.type) {
      case 'disconnect':
        return logger.warn({ server: status.server }, 'disconnected from the broker');
      case 'reconnect':
        return logger.info({ server: status.server }, 'reconnected to the broker');
      case 'staleConnection':
        return logger.warn({}, 'the broker stopped answering pings');
      case 'ldm':
        return logger.warn({ server: status.server }, 'the broker announced that it will shut down');
      case 'error':
        return logger.error({ err: status.error }, 'the broker reported an error');
      default:
        return;
    }
  });
}
