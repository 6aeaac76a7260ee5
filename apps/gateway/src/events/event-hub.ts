import { setTimeout as delay } from 'node:timers/promises';

import type { NatsConnection } from '@nats-io/nats-core';

import { consumePartition } from '#broker/partition-consumer.js';
import { streamState } from '#broker/stream-reader.js';
import { STREAM_SUBJECTS, STREAMS } from '#contracts/subjects.js';
import type { Logger } from '#runtime/logger.js';

import type { GatewayMetrics } from '../gateway-metrics.js';
import { type EventFrame, eventFrame, resyncFrame } from './event-frame.js';
import type { EventFilter } from './event-filter.js';
import { RecentFrames } from './recent-frames.js';
import type { SseClient } from './sse-client.js';

/** What waits a moment is written together: a write to each client costs more than what is written. */
const BATCH = { maxMessages: 256, maxBytes: 256 * 1024, maxWaitMs: 25 };
const RECENT = { maxFrames: 4_096, maxBytes: 8 * 1024 * 1024 };
const RETRY_MS = 500;

interface Group {
  filter: EventFilter;
  /** Each with the last event that it has. */
  clients: Map<SseClient, number>;
}

/** Reads the firehose once, and hands each event to all clients that want it. */
export class EventHub {
  private readonly groups = new Map<string, Group>();
  private recent: RecentFrames | undefined;
  private lastSeq = 0;
  private stopped = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly logger: Logger,
    private readonly metrics: Pick<GatewayMetrics, 'countEvents'>,
  ) {}

  run(nc: NatsConnection): void {
    this.stopped = new AbortController();
    this.running = this.readOn(nc);
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
    this.recent = undefined;
  }

  /** The last event that was handed out; undefined before the stream is being read. */
  get position(): number | undefined {
    return this.recent === undefined ? undefined : this.lastSeq;
  }

  /**
   * From here on the client gets every event after `afterSeq`, until it ends.
   * @returns false if older ones would be missing: then it has to be sent those first
   */
  join(client: SseClient, filter: EventFilter, afterSeq: number): boolean {
    const missed = this.recent?.after(afterSeq);
    if (missed === undefined) return false;
    const wanted = missed.filter(({ subject }) => filter.matches(subject));
    if (wanted.length > 0) client.send(concat(wanted));
    if (!client.isOpen) return true;
    const group = this.groups.get(filter.key) ?? { filter, clients: new Map<SseClient, number>() };
    this.groups.set(filter.key, group);
    group.clients.set(client, Math.max(afterSeq, this.lastSeq));
    void client.ended.then(() => this.leave(group, client));
    return true;
  }

  private leave(group: Group, client: SseClient): void {
    group.clients.delete(client);
    if (group.clients.size === 0 && this.groups.get(group.filter.key) === group) this.groups.delete(group.filter.key);
  }

  private async readOn(nc: NatsConnection): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      try {
        await this.read(nc, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.logger.warn({ err: error }, 'the firehose could not be read; it is tried again');
        await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** An error means that the stream is not there or is another one: then ids begin anew. */
  private async read(nc: NatsConnection, signal: AbortSignal): Promise<void> {
    const { firstSeq, lastSeq } = await streamState(nc, STREAMS.events);
    const from = this.recent === undefined ? lastSeq + 1 : Math.max(1, firstSeq);
    if (this.recent !== undefined) this.startAnew(from);
    this.recent = new RecentFrames(from - 1, RECENT);
    this.lastSeq = from - 1;
    const records = consumePartition({
      ...{ nc, signal, logger: this.logger, ...BATCH },
      stream: STREAMS.events,
      filterSubject: STREAM_SUBJECTS.events[0],
      fromSeq: from,
    });
    for await (const batch of records) this.handOut(batch.map(eventFrame));
  }

  private handOut(frames: EventFrame[]): void {
    this.metrics.countEvents(frames.length);
    this.recent?.add(frames);
    this.lastSeq = frames.at(-1)?.seq ?? this.lastSeq;
    for (const { filter, clients } of this.groups.values()) {
      const wanted = frames.filter(({ subject }) => filter.matches(subject));
      if (wanted.length === 0) continue;
      const bytes = concat(wanted);
      const firstSeq = (wanted[0] as EventFrame).seq;
      for (const [client, lastSeq] of clients) {
        if (lastSeq < firstSeq) client.send(bytes);
        else client.send(concat(wanted.filter(({ seq }) => seq > lastSeq)));
      }
    }
  }

  private startAnew(firstSeq: number): void {
    for (const { clients } of this.groups.values()) {
      for (const client of clients.keys()) {
        clients.set(client, firstSeq - 1);
        client.send(resyncFrame(firstSeq));
      }
    }
  }
}

function concat(frames: readonly EventFrame[]): Buffer {
  return Buffer.concat(frames.map(({ bytes }) => bytes));
}
