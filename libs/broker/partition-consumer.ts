import type { NatsConnection } from '@nats-io/nats-core';
import type { BrokerLogger } from './broker-logger.js';
import { PartitionReader } from './partition-reader.js';
import type { BatchLimits } from './record-queue.js';
import type { StreamRecord } from './stream-record.js';

export { StreamReplacedError } from './partition-reader.js';
export type { StreamRecord } from './stream-record.js';

export interface PartitionConsumerOptions extends BatchLimits {
  nc: NatsConnection;
  stream: string;
  filterSubject: string;
  /** The first batch begins with the first message at or behind this sequence. */
  fromSeq: number;
  /** Ends the generator; a batch that was not handed over yet is dropped. */
  signal: AbortSignal;
  logger?: BrokerLogger;
  /** The server's sign of life while there is nothing to deliver; two missed ones are a stall. Default 1,000. */
  heartbeatMs?: number;
}

/**
 * Reads a stream in order, each message once, in batches.
 *
 * What arrived while the caller was busy is handed over at once; when nothing waits, a batch is filled for `maxWaitMs`
 * from its first message on. Reading ahead stops at four batches of messages or two of bytes (never less than two of
 * the server's largest payloads). A lost connection, a restarted server, a deleted consumer and a stall are survived:
 * a new consumer goes on behind the last message.
 * @throws StreamReplacedError if the stream was deleted and made again, or rolled back, while it was being read
 * @throws ClosedConnectionError if the connection was closed for good
 */
export async function* consumePartition(options: PartitionConsumerOptions): AsyncGenerator<StreamRecord[]> {
  const reader = new PartitionReader(options);
  const running = reader.run();
  try {
    for (;;) {
      const batch = await reader.next();
      if (!batch) return;
      yield batch;
    }
  } finally {
    reader.stop();
    await running;
  }
}
