import type { DataSource } from 'typeorm';

import type { RpcContext } from '#broker/rpc-context.js';
import type { Logger } from '#runtime/logger.js';
import type { Metrics } from '#runtime/metrics.js';

import type { StrangerLog } from './stranger-log.js';

/** `trusted`: the broker's own accounts guard `nexo.admin.>`, so no token is asked for. */
export type AdminAuth = 'token' | 'trusted';

/** What answering any request needs of a handler's dependencies. */
export interface RequestDependencies {
  dataSource: DataSource;
  logger: Logger;
  metrics: Metrics;
}

/** What the pipeline of commands needs of a handler's dependencies. */
export interface CommandDependencies extends RequestDependencies {
  adminAuth: AdminAuth;
  strangers: StrangerLog;
}

/** What the pipeline needs to know of a request. */
export type CommandRequest = Pick<RpcContext, 'correlationId' | 'bearerToken' | 'source'>;
