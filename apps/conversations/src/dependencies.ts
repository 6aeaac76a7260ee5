import type { Redactor } from '#domain/redaction/redactor.js';

import type { CommandDependencies } from './commands/command-dependencies.js';
import type { OutboxRelay } from './outbox-relay.js';

/** What a handler is given. */
export interface Dependencies extends CommandDependencies {
  relay: OutboxRelay;
  redactor: Redactor;
  /** Inbounds kept for one paused conversation. */
  pendingQueueCap: number;
  /** Epoch milliseconds. Decisions use the database's clock; this one only marks activity. */
  now: () => number;
}

/** Under which Nest gives them to the controller. */
export const DEPENDENCIES = Symbol('dependencies');
