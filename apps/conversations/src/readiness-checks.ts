import type { NatsConnection } from '@nats-io/nats-core';
import type { DataSource } from 'typeorm';

import { streamState } from '#broker/stream-reader.js';
import { STREAMS } from '#contracts/subjects.js';
import type { ReadinessCheck } from '#runtime/readiness.js';
import { countOwnedPartitions, readFigures } from '#store/queries/read-health.js';
import { readOnce } from '#store/read.js';

/** An outbox row that waits longer means that nothing reaches the broker. */
const OLDEST_OUTBOX_ROW_MS = 30_000;

/** Database, broker, an owner for every partition, and an outbox that moves. */
export function readinessChecks(
  dataSource: DataSource,
  nc: NatsConnection,
  partitions: number,
): Record<string, ReadinessCheck> {
  return {
    database: () => readOnce(dataSource, (reader) => reader.rows({ name: 'ping', text: 'SELECT 1' })),
    broker: () => streamState(nc, STREAMS.inbound),
    partitions: async () => {
      const owned = await readOnce(dataSource, (reader) => countOwnedPartitions(reader, partitions));
      if (owned < partitions) throw new Error(`${partitions - owned} of ${partitions} partitions have no owner`);
    },
    outbox: async () => {
      const { oldestOutboxRowAgeMs = 0 } = await readOnce(dataSource, readFigures);
      if (oldestOutboxRowAgeMs > OLDEST_OUTBOX_ROW_MS) {
        throw new Error(`a message has waited ${Math.round(oldestOutboxRowAgeMs / 1000)} s to be published`);
      }
    },
  };
}
