import type { DataSource } from 'typeorm';

import type { Redactor } from '#domain/redaction/redactor.js';
import type { Logger } from '#runtime/logger.js';

import type { OutboxRelay } from './outbox-relay.js';

/** What a handler is given. */
export interface Dependencies {
  dataSource: DataSource;
  relay: OutboxRelay;
  redactor: Redactor;
  logger: Logger;
  /** Inbounds kept for one paused conversation. */
  pendingQueueCap: number;
  /** Epoch milliseconds. Decisions use the database's clock; this one only marks activity. */
  now: () => number;
}
