import type { NatsConnection } from '@nats-io/nats-core';
import type { DataSource } from 'typeorm';

import { partitionFilter } from '#broker/partitions.js';
import { purgeThrough, streamState } from '#broker/stream-reader.js';
import { STREAMS } from '#contracts/subjects.js';
import type { Logger } from '#runtime/logger.js';
import { readCursors } from '#store/queries/read-cursors.js';
import { readOnce } from '#store/read.js';

/** Above this share of the stream's limit it is purged while messages wait, whatever that costs. */
const FILLED = 0.5;

/**
 * Removes from the inbound stream what each partition has stored, so that it never fills with what was handled. That
 * is done in a moment at which nothing waits: nats-server 2.9 empties a stream at once, but takes some 0.1 ms for each
 * message that it removes in front of others, and answers nobody meanwhile.
 */
export async function purgeInbounds(
  dataSource: DataSource,
  nc: NatsConnection,
  logger: Logger,
  partitions: number,
): Promise<void> {
  const stream = await streamState(nc, STREAMS.inbound);
  if (stream.firstSeq > stream.lastSeq) return;
  const all = await readOnce(dataSource, (reader) => readCursors(reader, partitions));
  // A cursor of another stream of the same name says nothing about this one.
  const cursors = all.filter(({ streamCreated }) => streamCreated === stream.created);
  const nothingWaits = cursors.some(({ cursor }) => cursor >= stream.lastSeq);
  const filled = stream.maxBytes > 0 && stream.bytes > stream.maxBytes * FILLED;
  if (!nothingWaits && !filled) return;
  if (!nothingWaits) logger.warn({ bytes: stream.bytes }, 'the inbound stream is filling up: it is purged under load');
  for (const { partition, cursor } of cursors) {
    if (cursor < stream.firstSeq) continue;
    const filter = partitions === 1 ? undefined : partitionFilter(partition, partitions);
    await purgeThrough(nc, STREAMS.inbound, cursor, filter);
  }
}
