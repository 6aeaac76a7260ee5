import type { Outbound } from '#store/outbound.js';
import { findExpiredOutbounds } from '#store/queries/find-expired-outbounds.js';
import { readOnce } from '#store/read.js';

import type { OutboundDependencies } from './outbound-dependencies.js';
import { settle } from './settle.js';

const AT_ONCE = 50;

/**
 * Finds the messages whose sender has ended without an outcome. Whether the channel was asked is not known, so that
 * they are `unknown` and never sent again. Safe with several processes, and while senders are at work.
 * @returns how many were found
 */
export async function sweepOutbounds(deps: OutboundDependencies): Promise<number> {
  const expired = await readOnce(deps.dataSource, (reader) => findExpiredOutbounds(reader, AT_ONCE));
  for (const place of expired) {
    const outcome = await settle(deps, place, { status: 'unknown', why: 'sender_ended' }, isExpired);
    if (outcome?.status !== 'unknown') continue;
    deps.logger.warn({ outbound_id: place.outboundId }, 'a message has no outcome and may have been sent');
  }
  return expired.length;
}

function isExpired({ expiresAtMs }: Outbound, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}
