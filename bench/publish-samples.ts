import type { StreamMessage, StreamPublisher } from '#broker/stream-publisher.js';

import { payloadOf, type Sample } from './workload.js';

const BURST = 2_000;
const TIMEOUT_MS = 30_000;

/**
 * Fills a stream with messages, in order.
 * @returns the stream sequence of the last one
 */
export async function publishSamples(
  publisher: StreamPublisher,
  samples: readonly Sample[],
  subjectOf: (sample: Sample) => string,
): Promise<number> {
  let lastSeq = 0;
  for (let start = 0; start < samples.length; start += BURST) {
    const burst = samples.slice(start, start + BURST);
    lastSeq = await publishBurst(
      publisher,
      burst.map((sample) => ({ subject: subjectOf(sample), payload: payloadOf(sample) })),
    );
  }
  return lastSeq;
}

/**
 * Publishes messages that must all be stored.
 * @returns the stream sequence of the last one
 * @throws when one is refused, lost or taken for a duplicate
 */
export async function publishBurst(publisher: StreamPublisher, messages: StreamMessage[]): Promise<number> {
  const outcomes = await publisher.publish(messages, { timeoutMs: TIMEOUT_MS });
  let lastSeq = 0;
  for (const outcome of outcomes) {
    if (!outcome.ok) throw new Error(`A message was not stored: ${outcome.reason}, ${outcome.detail}`);
    if (outcome.duplicate) throw new Error(`Message ${outcome.seq} was taken for a duplicate.`);
    lastSeq = outcome.seq;
  }
  return lastSeq;
}
