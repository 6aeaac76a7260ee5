import { jetstreamManager } from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/nats-core';

import { consumePartition, type StreamRecord } from '#broker/partition-consumer.js';
import { type StreamMessage, StreamPublisher } from '#broker/stream-publisher.js';

import { publishBurst, publishSamples } from '../publish-samples.js';
import type { Contender } from '../rounds.js';
import type { Workload } from '../workload.js';
import type { Batching } from './batching.js';

const IN = { stream: 'BENCH_IN', prefix: 'bench.in.' };
const OUT = { stream: 'BENCH_OUT', prefix: 'bench.out.' };

/** That of the project's own streams. */
const DUPLICATE_WINDOW_MS = 600_000;

/** (d) What the broker alone allows: read a stream in order and publish each message into another, with an id. */
export class BrokerOnlyContender implements Contender {
  readonly name = 'broker';
  private readonly publisher: StreamPublisher;

  constructor(
    private readonly nc: NatsConnection,
    private readonly workload: Workload,
    private readonly batching: Batching,
  ) {
    this.publisher = new StreamPublisher(nc);
  }

  async prepare(): Promise<void> {
    const { streams } = await jetstreamManager(this.nc);
    for (const { stream, prefix } of [IN, OUT]) {
      await streams.add({ name: stream, subjects: [`${prefix}>`], duplicate_window: nanos(DUPLICATE_WINDOW_MS) });
    }
    await this.round();
  }

  async round(): Promise<number> {
    const count = this.batching.messages;
    const samples = this.workload.spread(count);
    const lastSeq = await publishSamples(this.publisher, samples, (sample) => IN.prefix + sample.conversation);
    const startedAt = performance.now();
    const endedAt = await this.forward(lastSeq - count + 1, lastSeq);
    return (count * 1_000) / (endedAt - startedAt);
  }

  async close(): Promise<void> {
    this.publisher.close();
    const { streams } = await jetstreamManager(this.nc);
    for (const { stream } of [IN, OUT]) await streams.delete(stream);
  }

  /**
   * Two bursts are under way at any time: one is being acknowledged while the next is being written.
   * @returns when the last one was acknowledged, on the clock of `performance.now()`
   */
  private async forward(firstSeq: number, lastSeq: number): Promise<number> {
    const finished = new AbortController();
    const batches = consumePartition({
      nc: this.nc,
      stream: IN.stream,
      filterSubject: `${IN.prefix}>`,
      fromSeq: firstSeq,
      maxMessages: this.batching.batchSize,
      maxBytes: 4 * 1_024 * 1_024,
      maxWaitMs: 5,
      signal: finished.signal,
    });
    let endedAt = 0;
    let earlierBurst: Promise<unknown> = Promise.resolve();
    for await (const batch of batches) {
      const burst = publishBurst(this.publisher, batch.map(forwarded));
      await earlierBurst;
      earlierBurst = burst;
      if (batch.at(-1)!.seq < lastSeq) continue;
      await burst;
      endedAt = performance.now();
      finished.abort();
    }
    return endedAt;
  }
}

function forwarded({ subject, data, seq }: StreamRecord): StreamMessage {
  return { subject: OUT.prefix + subject.slice(IN.prefix.length), payload: data, msgId: `forwarded:${seq}` };
}
