import type { NatsConnection } from '@nats-io/nats-core';
import type { DataSource } from 'typeorm';

import { partitionFilter } from '#broker/partitions.js';
import { purgeThrough, streamState } from '#broker/stream-reader.js';
import { STREAMS } from '#contracts/subjects.js';
import { readCursors } from '#store/queries/read-cursors.js';
import { readOnce } from '#store/read.js';

/**
 * Removes from the inbound stream what each partition has stored, so that it never fills with what was handled. A
 * cursor of another stream of the same name says nothing about this one, and nothing is removed.
 */
export async function purgeInbounds(dataSource: DataSource, nc: NatsConnection, partitions: number): Promise<void> {
  const cursors = await readOnce(dataSource, (reader) => readCursors(reader, partitions));
  const stream = await streamState(nc, STREAMS.inbound);
  for (const { partition, cursor, streamCreated } of cursors) {
    if (streamCreated !== stream.created || cursor < stream.firstSeq || stream.firstSeq > stream.lastSeq) continue;
    await purgeThrough(nc, STREAMS.inbound, cursor, partitionFilter(partition, partitions));
  }
}
