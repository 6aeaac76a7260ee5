import { setTimeout as delay } from 'node:timers/promises';

import type { ConversationScope } from '#contracts/processing-scope.js';
import { conversationId } from '#domain/conversation/conversation-id.js';
import type { Outbound } from '#store/outbound.js';
import { findOutbound } from '#store/queries/find-outbound.js';
import { readOnce } from '#store/read.js';

import { describeFailure } from '../commands/describe-failure.js';
import { withRetries } from '../commands/with-retries.js';
import { type HandedOver, handOver } from './hand-over.js';
import { HAND_OVER_WITHIN_MS, type OutboundDependencies, SETTLE_WITHIN_MS } from './outbound-dependencies.js';
import { type OutboundOutcome, recordedOutcome } from './outcome.js';
import { readAnswer } from './read-answer.js';
import { settle } from './settle.js';

const POLL_MS = 25;

/**
 * Takes a committed message to its channel, unless somebody else does so or has done so, and gives the outcome.
 * @throws an error of the database, before the channel was asked
 */
export async function deliver(
  deps: OutboundDependencies,
  scope: ConversationScope,
  outboundId: string,
): Promise<OutboundOutcome> {
  const place = { conversationId: conversationId(scope), outboundId };
  if (!(await deps.channels.brokerResponds())) {
    const recorded = await settle(deps, place, { status: 'unavailable', missing: 'broker' }, isNotHandedOver);
    return recorded ?? (await outcomeOfAnother(deps, outboundId));
  }
  const handedOver = await withRetries(() => handOver(deps, scope, outboundId));
  if (handedOver === undefined) return outcomeOfAnother(deps, outboundId);
  return record(deps, handedOver);
}

function isNotHandedOver({ status }: Outbound): boolean {
  return status === 'sending';
}

/** From here on nothing may be thrown: whoever is told of an error would send again. */
async function record(deps: OutboundDependencies, { outbound, answer }: HandedOver): Promise<OutboundOutcome> {
  const verdict = readAnswer(answer);
  // Where the hand-over could not be recorded, a pause may have recalled what the channel has taken.
  const said = verdict.status === 'sent' || verdict.status === 'unknown';
  const counts = ({ status }: Outbound) =>
    status === 'sending' || status === 'handed_over' || (status === 'recalled' && said);
  try {
    const recorded = await withRetries(() => settle(deps, outbound, verdict, counts, outbound));
    return recorded ?? { status: 'unknown' };
  } catch (error) {
    const details = { outbound_id: outbound.outboundId, status: verdict.status, failure: describeFailure(error) };
    deps.logger.error(details, 'what became of a message could not be recorded; it will count as unknown');
    return { status: 'unknown' };
  }
}

/** Waits for the outcome of a message that another request, or another process, has in hand. */
async function outcomeOfAnother(deps: OutboundDependencies, outboundId: string): Promise<OutboundOutcome> {
  const deadline = performance.now() + HAND_OVER_WITHIN_MS + deps.channels.timeoutMs + SETTLE_WITHIN_MS;
  for (;;) {
    const outbound = await readOnce(deps.dataSource, (reader) => findOutbound(reader, outboundId));
    const outcome = outbound && recordedOutcome(outbound);
    if (outcome !== undefined) return outcome;
    if (performance.now() > deadline) return { status: 'unknown' };
    await delay(POLL_MS);
  }
}
