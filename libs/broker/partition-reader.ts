import { setTimeout as delay } from 'node:timers/promises';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { ClosedConnectionError, type Status } from '@nats-io/nats-core';
import { type BrokerLogger, SILENT_LOGGER } from './broker-logger.js';
import { watchStatus } from './connection-status.js';
import { OrderedPull, type PullRoom } from './ordered-pull.js';
import type { PartitionConsumerOptions } from './partition-consumer.js';
import { RecordQueue } from './record-queue.js';
import type { StreamRecord } from './stream-record.js';

/** The stream is not the one that was read so far, or lost its end: its sequences mean something else now. */
export class StreamReplacedError extends Error {
  override readonly name = 'StreamReplacedError';
}

const API_TIMEOUT_MS = 2_000;
const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 2_000;
/** Subject, reply and headers of a message, which the server counts too. */
const MESSAGE_OVERHEAD_BYTES = 16 * 1024;
const DEFAULT_MAX_PAYLOAD_BYTES = 1024 ** 2;

/** Keeps a queue filled with what follows in the stream, through one consumer after the other. */
export class PartitionReader {
  private readonly queue: RecordQueue;
  private readonly logger: BrokerLogger;
  private readonly stopped = new AbortController();
  private readonly ended: AbortSignal;
  private pull: OrderedPull | undefined;
  private nextSeq: number;
  private lastSeq = 0;
  private createdAt: string | undefined;
  private disconnected = false;
  private reconnected: () => void = () => {};

  constructor(private readonly options: PartitionConsumerOptions) {
    this.queue = new RecordQueue(options);
    this.logger = options.logger ?? SILENT_LOGGER;
    this.nextSeq = Math.max(1, options.fromSeq);
    this.ended = AbortSignal.any([options.signal, this.stopped.signal]);
  }

  /** The next batch; undefined once it was stopped. */
  async next(): Promise<StreamRecord[] | undefined> {
    const batch = await this.queue.next();
    this.pull?.pull();
    return batch;
  }

  stop(): void {
    this.stopped.abort();
  }

  /** Reads until it is stopped, then resolves; the server has forgotten the consumer by then, if it can be told. */
  async run(): Promise<void> {
    const { nc } = this.options;
    const end = () => {
      this.queue.end();
      this.pull?.break('stopped');
      this.reconnected();
    };
    this.ended.addEventListener('abort', end, { once: true });
    if (this.ended.aborted) end();
    const stopWatching = watchStatus(nc, (status) => this.follow(status));
    try {
      const jsm = await jetstreamManager(nc, { checkAPI: false, timeout: API_TIMEOUT_MS });
      await this.readOn(jsm);
    } catch (error) {
      this.queue.end(error instanceof Error ? error : new Error(String(error)));
    } finally {
      stopWatching();
    }
  }

  private async readOn(jsm: JetStreamManager): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!this.ended.aborted) {
      const pull = this.newPull(jsm);
      this.pull = pull;
      let reason: string;
      try {
        await Promise.race([this.open(jsm, pull), pull.broken]);
        reason = await pull.broken;
        retryMs = FIRST_RETRY_MS;
      } catch (error) {
        if (error instanceof StreamReplacedError || error instanceof ClosedConnectionError) throw error;
        reason = error instanceof Error ? error.message : String(error);
      }
      const closed = pull.close();
      if (this.ended.aborted) return closed;
      const { stream, filterSubject } = this.options;
      this.logger.warn({ stream, filterSubject, nextSeq: this.nextSeq, reason }, 'reading goes on with a new consumer');
      await this.pause(retryMs);
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    }
  }

  private newPull(jsm: JetStreamManager): OrderedPull {
    const { nc, stream, filterSubject, heartbeatMs = 1_000 } = this.options;
    return new OrderedPull({
      ...{ nc, jsm, stream, filterSubject, heartbeatMs },
      fromSeq: this.nextSeq,
      room: () => this.room(),
      onRecord: (record) => this.accept(record),
    });
  }

  private async open(jsm: JetStreamManager, pull: OrderedPull): Promise<void> {
    const { stream } = this.options;
    const { created, state } = await jsm.streams.info(stream);
    if (this.createdAt !== undefined && created !== this.createdAt) {
      throw new StreamReplacedError(`${stream} was deleted and made again at ${created}`);
    }
    if (state.last_seq < this.lastSeq) {
      throw new StreamReplacedError(`${stream} ends at ${state.last_seq}, but ${this.lastSeq} was read from it`);
    }
    this.createdAt = created;
    await pull.open();
  }

  private accept(record: StreamRecord): void {
    // A consumer that is to start behind the end of the stream starts at its end.
    if (record.seq < this.nextSeq) return;
    this.lastSeq = record.seq;
    this.nextSeq = record.seq + 1;
    this.queue.push(record);
  }

  /** Asking for little at a time costs a round trip each, so nothing is asked until half of the room is free. */
  private room(): PullRoom | undefined {
    const { nc, maxMessages, maxBytes } = this.options;
    const largestMessage = (nc.info?.max_payload ?? DEFAULT_MAX_PAYLOAD_BYTES) + MESSAGE_OVERHEAD_BYTES;
    const allMessages = 4 * maxMessages;
    const allBytes = 2 * Math.max(maxBytes, largestMessage);
    const messages = allMessages - this.queue.size;
    const bytes = allBytes - this.queue.bytes;
    return messages * 2 < allMessages || bytes * 2 < allBytes ? undefined : { messages, bytes };
  }

  private follow(status: Status): void {
    if (status.type === 'disconnect') {
      this.disconnected = true;
      this.pull?.break('the connection broke');
    } else if (status.type === 'reconnect') {
      this.disconnected = false;
      this.reconnected();
    } else if (status.type === 'close') {
      this.queue.end(new ClosedConnectionError());
      this.stop();
    }
  }

  private async pause(retryMs: number): Promise<void> {
    if (this.disconnected) return new Promise((resolve) => (this.reconnected = resolve));
    await delay(retryMs, undefined, { signal: this.ended }).catch(() => {});
  }
}
