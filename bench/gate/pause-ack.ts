import { performance } from 'node:perf_hooks';

import pg from 'pg';

import { forkService } from '../child-service.js';
import { median, pairedRatio, type Ratio } from '../statistics.js';
import { CONVERSATIONS, type Workload } from '../workload.js';
import { ECHO_SUBJECT } from './echo-subject.js';
import { assertHeld, assertSame, bySampleOrder, firstAppearances, messagesOfTurns } from './expectations.js';
import type { GateRunner } from './gate-runner.js';
import { forEachConversation, type Operator } from './operator.js';
import { readRange, type TurnRecord } from './stream-content.js';

/** Milliseconds, measured in turn: a pause until its ack, a request to an echo, a transaction that locks one row. */
export interface Latencies {
  pause: number[];
  request: number[];
  transaction: number[];
}

export interface PauseAckResult {
  idle: Latencies;
  load: Latencies;
  /** Pause over request + transaction, with nothing else going on. */
  idleRatio: Ratio;
}

export interface PauseAckOptions {
  runner: GateRunner;
  operator: Operator;
  databaseUrl: string;
  natsUrl: string;
  workload: Workload;
  idlePauses: number;
  /** Messages that the gate works through while pauses are measured. */
  loadMessages: number;
}

const BLOCK = 25;
const WARM_UP_PAUSES = 100;
const LOCK_ROW = { name: 'bench-lock-row', text: 'SELECT FROM bench_locks WHERE id = $1 FOR UPDATE' };

/** How long an operator waits for a pause, beside what the least of its steps would take. */
export async function measurePauseAck(options: PauseAckOptions): Promise<PauseAckResult> {
  const stopEcho = await forkService(new URL('./echo-service.js', import.meta.url), { NATS_URL: options.natsUrl });
  const client = new pg.Client({ connectionString: options.databaseUrl });
  await client.connect();
  try {
    await client.query('CREATE TABLE bench_locks (id int PRIMARY KEY)');
    await client.query('INSERT INTO bench_locks SELECT generate_series(0, $1)', [CONVERSATIONS - 1]);
    const meter = new PauseMeter(options, client);
    const load = await underLoad(options, meter);
    const idle = await whileIdle(options, meter);
    return { idle, load, idleRatio: blockRatio(idle) };
  } finally {
    await client.end();
    await stopEcho();
  }
}

class PauseMeter {
  private nextConversation = 0;

  constructor(
    private readonly options: PauseAckOptions,
    private readonly client: pg.Client,
  ) {}

  /** Pauses conversations one by one for as long as `goOn` says, then resumes them. */
  async measure(goOn: (pauses: number) => boolean | Promise<boolean>): Promise<Latencies> {
    const { operator, runner } = this.options;
    const latencies: Latencies = { pause: [], request: [], transaction: [] };
    const paused: number[] = [];
    while (await goOn(paused.length)) {
      const conversation = this.nextConversation++ % CONVERSATIONS;
      latencies.pause.push(await milliseconds(() => operator.pause(conversation)));
      latencies.request.push(await milliseconds(() => runner.nc.request(ECHO_SUBJECT)));
      latencies.transaction.push(await milliseconds(() => this.lockRow(conversation)));
      paused.push(conversation);
    }
    await forEachConversation(paused, (conversation) => operator.resume(conversation));
    return latencies;
  }

  private async lockRow(id: number): Promise<void> {
    await this.client.query('BEGIN');
    await this.client.query({ ...LOCK_ROW, values: [id] });
    await this.client.query('COMMIT');
  }
}

/** The gate has a full stream to work through, and conversations are paused meanwhile. */
async function underLoad(options: PauseAckOptions, meter: PauseMeter): Promise<Latencies> {
  const { runner, operator, workload, loadMessages } = options;
  const samples = workload.spread(loadMessages);
  const fill = await runner.fill(samples);
  const { latencies, turns } = await runner.withGate(async () => {
    await operator.waitForGate();
    await runner.cursorReaches(fill.firstSeq);
    const measured = await meter.measure(async () => (await runner.cursor()) < fill.lastSeq);
    const drained = await runner.drain(fill);
    return { latencies: measured, turns: drained.turns };
  });
  const records = await readRange<TurnRecord>(runner.nc, turns);
  assertHeld(records);
  assertSame(firstAppearances(messagesOfTurns(records), samples), bySampleOrder(samples), 'Turns');
  return latencies;
}

async function whileIdle({ runner, operator, idlePauses }: PauseAckOptions, meter: PauseMeter): Promise<Latencies> {
  return runner.withGate(async () => {
    await operator.waitForGate();
    await meter.measure((pauses) => pauses < WARM_UP_PAUSES);
    return meter.measure((pauses) => pauses < idlePauses);
  });
}

function blockRatio({ pause, request, transaction }: Latencies): Ratio {
  const blocks = Array.from({ length: Math.floor(pause.length / BLOCK) }, (_, index) => index * BLOCK);
  const medians = (values: number[]) => blocks.map((start) => median(values.slice(start, start + BLOCK)));
  const requests = medians(request);
  return pairedRatio(
    medians(pause),
    medians(transaction).map((ms, block) => ms + requests[block]!),
  );
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
