import { parseArgs } from 'node:util';

/** What can be measured, by the name that `--only` takes. */
export const MEASUREMENTS = ['stock', 'pg-boss', 'bare', 'broker', 'active', 'ack', 'paused', 'evicting'] as const;
export type Measurement = (typeof MEASUREMENTS)[number];

/** How much is measured. Counts are messages of one round. */
export interface Scale {
  /** Rounds of each throughput measurement, unless the time is up before. */
  rounds: number;
  /** After this time since the start nothing further begins: no round, no measurement. */
  softLimitMs: number;
  gateWarmUp: number;
  gateMeasured: number;
  bareMeasured: number;
  bossMeasured: number;
  stockMeasured: number;
  /** Cap of the buffer of a paused conversation; each one is filled to it before the evicting rounds. */
  pendingQueueCap: number;
  /** Pauses measured while nothing else happens. */
  idlePauses: number;
  /** Messages that the gate works through while pauses are measured. */
  loadMessages: number;
}

export interface BenchOptions {
  measurements: ReadonlySet<Measurement>;
  scale: Scale;
  /** Replace the table of docs/performance.md. */
  write: boolean;
  /** Record a CPU profile of the gate in every round. */
  cpuProfile: boolean;
}

const FULL: Scale = {
  rounds: 5,
  softLimitMs: 300_000,
  gateWarmUp: 10_000,
  gateMeasured: 40_000,
  bareMeasured: 40_960,
  bossMeasured: 10_240,
  stockMeasured: 5_000,
  pendingQueueCap: 50,
  idlePauses: 500,
  loadMessages: 80_000,
};

const QUICK: Scale = {
  rounds: 2,
  softLimitMs: 60_000,
  gateWarmUp: 5_000,
  gateMeasured: 15_000,
  bareMeasured: 15_360,
  bossMeasured: 5_120,
  stockMeasured: 2_000,
  pendingQueueCap: 5,
  idlePauses: 150,
  loadMessages: 30_000,
};

export const USAGE = `npm run bench -- [options]
  --quick             shorter rounds, fewer of them, small buffers: at most 90 s
  --only <a,b,…>      only these of: ${MEASUREMENTS.join(', ')}
  --rounds <n>        rounds of each throughput measurement
  --cpu-prof          record a CPU profile of the gate in every round and print where it spent its time
  --write             put the table into docs/performance.md
  --help              this text`;

/** Reads the command line; `undefined` asks for the usage text. Throws with one sentence on a wrong option. */
export function parseOptions(args: string[]): BenchOptions | undefined {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      rounds: { type: 'string' },
      'cpu-prof': { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const scale = values.quick ? QUICK : FULL;
  return {
    measurements: new Set(values.only === undefined ? MEASUREMENTS : values.only.split(',').map(parseMeasurement)),
    scale: values.rounds === undefined ? scale : { ...scale, rounds: parseRounds(values.rounds) },
    write: values.write,
    cpuProfile: values['cpu-prof'],
  };
}

function parseMeasurement(name: string): Measurement {
  const measurement = MEASUREMENTS.find((known) => known === name.trim());
  if (!measurement) throw new Error(`--only knows ${MEASUREMENTS.join(', ')}, not "${name}".`);
  return measurement;
}

function parseRounds(text: string): number {
  const rounds = Number(text);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds takes a whole number from 1, not "${text}".`);
  return rounds;
}
