import type { NatsConnection } from '@nats-io/nats-core';

import type { Batching } from './contenders/batching.js';
import { BareInsertContender } from './contenders/bare-insert.js';
import { BrokerOnlyContender } from './contenders/broker-only.js';
import { PgBossContender } from './contenders/pg-boss.js';
import { StockContender } from './contenders/stock.js';
import { ActiveContender } from './gate/active.js';
import { ExpectedBuffers } from './gate/expectations.js';
import type { GateRunner } from './gate/gate-runner.js';
import { Operator } from './gate/operator.js';
import { measurePauseAck } from './gate/pause-ack.js';
import { EvictingContender, type HeldConversations, holdAll, PausedContender } from './gate/paused.js';
import type { BenchOptions, Measurement } from './options.js';
import type { Results, SectionName } from './report.js';
import { type Contender, playRounds } from './rounds.js';
import type { Servers } from './servers.js';
import { CONVERSATIONS, Workload } from './workload.js';

const BATCH_SIZE = 256;

/** Share of the time limit after which a section begins no further round. */
const TIME_SHARES: Record<SectionName, number> = { active: 0.45, paused: 0.75, evicting: 1 };

export interface Stage {
  options: BenchOptions;
  servers: Servers;
  nc: NatsConnection;
  /** With the project's tables. */
  databaseUrl: string;
  runner: GateRunner;
  startedAtMs: number;
  log: (line: string) => void;
}

/** Measures everything that was asked for, one section after the other. */
export async function measure(stage: Stage): Promise<Omit<Results, 'machine'>> {
  const results: Omit<Results, 'machine'> = { sections: {}, leftOut: [] };
  const workload = new Workload();
  const operator = new Operator(stage.nc);
  await measureActive(stage, workload, results);
  if (begins(stage, 'ack', results)) {
    stage.log('measuring pauses');
    const { runner, databaseUrl } = stage;
    const { idlePauses, loadMessages } = stage.options.scale;
    const natsUrl = stage.servers.natsUrl;
    results.pauseAck = await measurePauseAck({
      ...{ runner, operator, databaseUrl, natsUrl, workload },
      ...{ idlePauses, loadMessages },
    });
  }
  await measurePaused(stage, workload, operator, results);
  return results;
}

async function measureActive(stage: Stage, workload: Workload, results: Omit<Results, 'machine'>): Promise<void> {
  const { nc, servers, runner } = stage;
  const { scale, measurements } = stage.options;
  const contenders: Contender[] = [];
  if (measurements.has('stock')) {
    const url = await servers.database('stock');
    const stock = new StockContender(url, nc, servers.natsUrl, workload, scale.stockMeasured);
    results.stockOrder = stock.order;
    contenders.push(stock);
  }
  if (measurements.has('pg-boss')) {
    contenders.push(new PgBossContender(await servers.database('boss'), workload, batching(scale.bossMeasured)));
  }
  if (measurements.has('bare')) contenders.push(bareInsert(stage, workload));
  if (measurements.has('broker')) {
    contenders.push(new BrokerOnlyContender(nc, workload, batching(scale.gateMeasured)));
  }
  if (measurements.has('active')) {
    contenders.push(new ActiveContender(runner, workload, scale.gateWarmUp + scale.gateMeasured));
  }
  await play(stage, 'active', contenders, scale.rounds, results);
}

async function measurePaused(
  stage: Stage,
  workload: Workload,
  operator: Operator,
  results: Omit<Results, 'machine'>,
): Promise<void> {
  const { scale } = stage.options;
  const held: HeldConversations = {
    runner: stage.runner,
    operator,
    buffers: new ExpectedBuffers(scale.pendingQueueCap),
  };
  const messages = scale.gateWarmUp + scale.gateMeasured;
  const besides = () => (wants(stage, 'bare') ? [bareInsert(stage, workload)] : []);
  if (wants(stage, 'paused', 'evicting') && !isTimeUp(stage)) {
    stage.log('pausing every conversation');
    await holdAll(stage.runner, operator);
  }
  if (begins(stage, 'paused', results)) {
    const perConversation = messages / CONVERSATIONS;
    const roundsBelowCap = Math.floor(scale.pendingQueueCap / perConversation);
    const paused = new PausedContender(held, workload, perConversation);
    await play(stage, 'paused', [...besides(), paused], Math.min(scale.rounds, roundsBelowCap), results);
  }
  if (begins(stage, 'evicting', results)) {
    stage.log('filling every buffer');
    await play(
      stage,
      'evicting',
      [...besides(), new EvictingContender(held, workload, messages)],
      scale.rounds,
      results,
    );
  }
}

async function play(
  stage: Stage,
  section: SectionName,
  contenders: Contender[],
  rounds: number,
  results: Omit<Results, 'machine'>,
): Promise<void> {
  if (contenders.length === 0) return;
  const softDeadlineMs = stage.startedAtMs + stage.options.scale.softLimitMs * TIME_SHARES[section];
  results.sections[section] = await playRounds(contenders, { rounds, softDeadlineMs, log: stage.log });
}

/** Whether it was asked for and there is time for it; what there is no time for is noted. */
function begins(stage: Stage, measurement: Measurement, results: Omit<Results, 'machine'>): boolean {
  if (!wants(stage, measurement)) return false;
  if (!isTimeUp(stage)) return true;
  stage.log(`no time is left for ${measurement}`);
  results.leftOut.push(measurement);
  return false;
}

function isTimeUp({ startedAtMs, options }: Stage): boolean {
  return Date.now() > startedAtMs + options.scale.softLimitMs;
}

function bareInsert(stage: Stage, workload: Workload): Contender {
  return new BareInsertContender(stage.databaseUrl, workload, batching(stage.options.scale.bareMeasured));
}

function batching(messages: number): Batching {
  return { messages, batchSize: BATCH_SIZE };
}

function wants(stage: Stage, ...measurements: Measurement[]): boolean {
  return measurements.some((measurement) => stage.options.measurements.has(measurement));
}
