import type { NatsConnection } from '@nats-io/nats-core';
import type { DataSource } from 'typeorm';

import { purgeThrough, streamState } from '#broker/stream-reader.js';
import { STREAMS } from '#contracts/subjects.js';
import { lowestCursor } from '#store/queries/lowest-cursor.js';
import { readOnce } from '#store/read.js';

/** Removes from the inbound stream what every partition has stored, so that it never fills with what was handled. */
export async function purgeInbounds(dataSource: DataSource, nc: NatsConnection): Promise<void> {
  const cursor = await readOnce(dataSource, lowestCursor);
  const { firstSeq } = await streamState(nc, STREAMS.inbound);
  if (firstSeq <= cursor) await purgeThrough(nc, STREAMS.inbound, cursor);
}
