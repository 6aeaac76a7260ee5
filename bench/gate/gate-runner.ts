import { join } from 'node:path';

import type { NatsConnection } from '@nats-io/nats-core';
import pg from 'pg';

import { StreamPublisher } from '#broker/stream-publisher.js';
import { DEFAULT_PENDING_QUEUE_CAP } from '#contracts/limits.js';
import { inboundSubject, STREAMS } from '#contracts/subjects.js';

import { publishSamples } from '../publish-samples.js';
import { type Sample, scopeOf } from '../workload.js';
import { GateProcess } from './gate-process.js';
import { lastSequence, lastStoredAtMs, type StreamRange } from './stream-content.js';

const CURSOR = { name: 'bench-cursor', text: 'SELECT cursor FROM partitions WHERE partition = 0' };
const OUTBOX_IS_EMPTY = 'SELECT NOT EXISTS (SELECT FROM outbox) AS empty';
const POLL_MS = 10;
const NO_PROGRESS_LIMIT_MS = 60_000;

export interface GateRunnerOptions {
  nc: NatsConnection;
  natsUrl: string;
  /** The database has the project's tables, the broker its streams. */
  databaseUrl: string;
  workDirectory: string;
  /** Messages at the head of each fill that are worked through before the clock starts. */
  warmUp: number;
  cpuProfile: boolean;
}

/** What the gate made of a filled stream. */
export interface Drained {
  messagesPerSecond: number;
  turns: StreamRange;
  events: StreamRange;
}

/** Runs the gate over streams that were filled before it started. */
export class GateRunner {
  readonly nc: NatsConnection;
  private readonly publisher: StreamPublisher;
  private readonly client: pg.Client;

  constructor(private readonly options: GateRunnerOptions) {
    this.nc = options.nc;
    this.publisher = new StreamPublisher(options.nc);
    this.client = new pg.Client({ connectionString: options.databaseUrl, application_name: 'bench' });
  }

  async open(): Promise<void> {
    await this.client.connect();
  }

  async close(): Promise<void> {
    this.publisher.close();
    await this.client.end();
  }

  /** Starts the gate for the time of `work`, with buffers of `pendingQueueCap` messages. */
  async withGate<Result>(
    work: () => Promise<Result>,
    pendingQueueCap: number = DEFAULT_PENDING_QUEUE_CAP,
  ): Promise<Result> {
    const { databaseUrl, natsUrl, workDirectory } = this.options;
    const gate = GateProcess.start({
      databaseUrl,
      natsUrl,
      pendingQueueCap,
      logFile: join(workDirectory, 'gate.log'),
      ...(this.options.cpuProfile ? { profileDirectory: this.profileDirectory } : {}),
    });
    try {
      return await Promise.race([work(), gate.failure]);
    } finally {
      await gate.stop();
    }
  }

  get profileDirectory(): string {
    return join(this.options.workDirectory, 'profiles');
  }

  /** Fills the inbound stream while no gate runs. */
  async fill(samples: readonly Sample[]): Promise<Fill> {
    const [turnsBefore, eventsBefore] = await this.outgoingSequences();
    const lastSeq = await publishSamples(this.publisher, samples, ({ conversation }) =>
      inboundSubject(scopeOf(conversation)),
    );
    return { firstSeq: lastSeq - samples.length + 1, lastSeq, turnsBefore, eventsBefore };
  }

  /**
   * Waits until a gate has worked through the fill and all that it publishes is stored. The clock runs from the end of
   * the warm-up to the last message stored or the end of the cursor, whichever is later.
   */
  async drain(fill: Fill): Promise<Drained> {
    const started = await this.cursorReaches(fill.firstSeq - 1 + this.options.warmUp);
    const ended = await this.cursorReaches(fill.lastSeq);
    await this.outboxEmpties();
    const [turnsLast, eventsLast] = await this.outgoingSequences();
    const turns = { stream: STREAMS.turns, after: fill.turnsBefore, last: turnsLast };
    const events = { stream: STREAMS.events, after: fill.eventsBefore, last: eventsLast };
    const storedAtMs = await Promise.all([turns, events].map((range) => lastStoredAtMs(this.nc, range)));
    const endedAtMs = Math.max(ended.atMs, ...storedAtMs.map((atMs) => atMs ?? 0));
    return {
      messagesPerSecond: ((fill.lastSeq - started.cursor) * 1_000) / (endedAtMs - started.atMs),
      turns,
      events,
    };
  }

  /** Resolves once the cursor of the partition is at `seq` or past it; throws when it stands still for a minute. */
  async cursorReaches(seq: number): Promise<{ cursor: number; atMs: number }> {
    let last = { cursor: -1, atMs: Date.now() };
    for (;;) {
      const cursor = await this.cursor();
      if (cursor !== last.cursor) last = { cursor, atMs: Date.now() };
      if (cursor >= seq) return last;
      if (Date.now() - last.atMs > NO_PROGRESS_LIMIT_MS) {
        throw new Error(`The gate's cursor stands still at ${cursor}, before ${seq}.`);
      }
      await sleep(POLL_MS);
    }
  }

  /** 0 before the first batch. */
  async cursor(): Promise<number> {
    const { rows } = await this.client.query<{ cursor: string }>(CURSOR);
    return Number(rows[0]?.cursor ?? 0);
  }

  /** Resolves once everything that was committed is published. */
  async outboxEmpties(): Promise<void> {
    const deadline = Date.now() + NO_PROGRESS_LIMIT_MS;
    for (;;) {
      const { rows } = await this.client.query<{ empty: boolean }>(OUTBOX_IS_EMPTY);
      if (rows[0]?.empty === true) return;
      if (Date.now() > deadline) throw new Error('The gate does not empty its outbox.');
      await sleep(POLL_MS);
    }
  }

  private outgoingSequences(): Promise<[number, number]> {
    return Promise.all([lastSequence(this.nc, STREAMS.turns), lastSequence(this.nc, STREAMS.events)]);
  }
}

/** Where the messages of a fill stand in the inbound stream, and where the others ended before it. */
export interface Fill {
  firstSeq: number;
  lastSeq: number;
  turnsBefore: number;
  eventsBefore: number;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
