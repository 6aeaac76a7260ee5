import { readStreamPage } from '#broker/stream-page.js';
import { streamState } from '#broker/stream-reader.js';
import { STREAMS } from '#contracts/subjects.js';

import type { BrokerLink } from '../broker-link.js';
import { eventFrame, resyncFrame } from './event-frame.js';
import type { EventFilter } from './event-filter.js';
import type { EventHub } from './event-hub.js';
import type { Slots } from './slots.js';
import type { SseClient } from './sse-client.js';

/** The second limit is above what the broker's largest message takes with its headers. */
const PAGE = { maxMessages: 256, maxBytes: 1_200_000 };

/** What catching up needs. */
export interface CatchUpDependencies {
  link: BrokerLink;
  hub: EventHub;
  /** How many clients are read for at the same time. */
  pages: Slots;
}

/**
 * Sends a client what it has missed, no faster than it reads, until the hub has all that is still missing.
 * @param lastSeq the last event that the client has; undefined if it wants new ones only
 * @throws NoAnswerError and the client's errors; then the response should be ended, since it has a gap
 */
export async function catchUp(
  { link, hub, pages }: CatchUpDependencies,
  client: SseClient,
  filter: EventFilter,
  lastSeq: number | undefined,
): Promise<void> {
  let after = await firstAfter(link, hub, client, lastSeq);
  while (client.isOpen && !hub.join(client, filter, after)) {
    const page = await pages.run(() =>
      readStreamPage({
        ...{ nc: link.connection, stream: STREAMS.events, filterSubject: filter.subject, afterSeq: after, ...PAGE },
        throughSeq: hub.position ?? after,
      }),
    );
    for (const record of page.records) client.send(eventFrame(record).bytes);
    after = Math.max(after, page.readThroughSeq);
    await client.drained();
  }
}

/** Where a client goes on. One whose place is not in the stream any more is told so, and gets all that is there. */
async function firstAfter(
  link: BrokerLink,
  hub: EventHub,
  client: SseClient,
  wanted: number | undefined,
): Promise<number> {
  if (wanted === undefined) return hub.position ?? 0;
  const { firstSeq, lastSeq } = await streamState(link.connection, STREAMS.events);
  const first = Math.max(1, firstSeq);
  if (wanted >= first - 1 && wanted <= lastSeq) return wanted;
  client.send(resyncFrame(first));
  return first - 1;
}
