import type { Logger } from '#runtime/logger.js';

import type { BrokerLink } from './broker-link.js';
import type { GatewayConfig } from './config.js';
import type { ContractDocuments } from './documents/contract-documents.js';
import type { EventHub } from './events/event-hub.js';
import type { OpenStreams } from './events/open-streams.js';
import type { GatewayMetrics } from './gateway-metrics.js';
import type { GatewayNotices } from './gateway-notices.js';
import type { KnownTokens } from './known-tokens.js';
import type { RateLimiter } from './rate-limiter.js';
import type { EndedSessions } from './session/ended-sessions.js';
import type { SessionSeal } from './session/session-seal.js';

/** What a controller of the gateway is given. */
export interface Dependencies {
  config: GatewayConfig;
  /** True when only this machine can reach the gateway. */
  loopbackOnly: boolean;
  link: BrokerLink;
  logger: Logger;
  metrics: GatewayMetrics;
  limiter: RateLimiter;
  knownTokens: KnownTokens;
  seal: SessionSeal;
  endedSessions: EndedSessions;
  notices: GatewayNotices;
  hub: EventHub;
  streams: OpenStreams;
  documents: ContractDocuments;
}

/** Under which Nest gives them to the controllers. */
export const DEPENDENCIES = Symbol('dependencies');
