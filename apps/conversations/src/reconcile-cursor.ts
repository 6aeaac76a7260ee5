import type { NatsConnection } from '@nats-io/nats-core';

import { streamState } from '#broker/stream-reader.js';
import { STREAMS } from '#contracts/subjects.js';
import { type OwnedPartition, resetCursor } from '#store/queries/partition-lease.js';
import { withTransaction } from '#store/transaction.js';

import type { Dependencies } from './dependencies.js';

/**
 * Holds the stored cursor against the stream and says loudly what does not fit: a stream that was re-created or rolled
 * back gives sequences again that the cursor has passed, and a gap is messages that nobody will ever see.
 * @returns the cursor to read from
 */
export async function reconcileCursor(
  deps: Dependencies,
  nc: NatsConnection,
  owned: OwnedPartition,
  partitions: number,
): Promise<number> {
  const stream = await streamState(nc, STREAMS.inbound);
  const facts = { cursor: owned.cursor, stored_created: owned.streamCreated, ...stream };
  let cursor = owned.cursor;
  if (owned.streamCreated !== null && owned.streamCreated !== stream.created) {
    deps.logger.error(facts, 'the inbound stream was re-created: it is read from its beginning');
    cursor = 0;
  } else if (stream.lastSeq < cursor) {
    deps.logger.error(facts, 'the inbound stream was rolled back: it is read from its end, what it lost is lost');
    cursor = stream.lastSeq;
  } else if (partitions === 1 && owned.streamCreated !== null && stream.firstSeq > cursor + 1) {
    // With several partitions a gap is what the others have stored.
    deps.logger.error(facts, 'messages of the inbound stream were removed before they were read');
  }
  if (cursor !== owned.cursor || owned.streamCreated !== stream.created) {
    await withTransaction(deps.dataSource, (tx) => resetCursor(tx, owned, cursor, stream.created));
  }
  return cursor;
}
