import type { DataSource } from 'typeorm';

import type { ChannelRequests } from '#broker/channel-requests.js';
import type { Redactor } from '#domain/redaction/redactor.js';
import type { Logger } from '#runtime/logger.js';
import type { Metrics } from '#runtime/metrics.js';

import type { OutboxRelay } from '../outbox-relay.js';

/** What sending to a channel needs of a handler's dependencies. */
export interface OutboundDependencies {
  dataSource: DataSource;
  relay: OutboxRelay;
  redactor: Redactor;
  logger: Logger;
  metrics: Metrics;
  channels: ChannelRequests;
}

/** A message that is not handed over this long after it was admitted is given up. */
export const HAND_OVER_WITHIN_MS = 6_000;
/** After the channel's time is over, its sender has this long to record that. Then the message counts as lost. */
export const SETTLE_WITHIN_MS = 4_000;
