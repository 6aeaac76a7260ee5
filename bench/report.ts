import type { StockOrder } from './contenders/stock.js';
import type { Latencies, PauseAckResult } from './gate/pause-ack.js';
import type { Measurement } from './options.js';
import type { RoundResults } from './rounds.js';
import { median, pairedRatio, percentile, type Ratio } from './statistics.js';
import { CONVERSATIONS, PAYLOAD_BYTES } from './workload.js';

/** All that a run has measured. What was not measured is absent. */
export interface Results {
  machine: string;
  /** Of each section that was played, its contenders' rounds. */
  sections: Partial<Record<SectionName, RoundResults>>;
  /** How well the stock service kept the order, over all rounds. */
  stockOrder?: StockOrder;
  pauseAck?: PauseAckResult;
  /** Asked for, but the time was up. */
  leftOut: Measurement[];
}

export type SectionName = 'active' | 'paused' | 'evicting';

const TITLES: Record<Exclude<Measurement, 'ack'>, string> = {
  stock: '(a) stock service: Nest NATS transport, TypeORM `findOne` + `save`, emit; flooded',
  'pg-boss': '(b) pg-boss: insert + fetch + complete, batch 256',
  bare: '(c) bare `unnest` insert, same columns and indexes as `entries`, batch 256',
  broker: '(d) consume + publish without a database',
  active: '(e) Holdline, active: stored and published as turns',
  paused: '(e) Holdline, paused, below the cap: buffered',
  evicting: '(e) Holdline, paused, every message evicts one',
};

interface Goal {
  section: SectionName;
  against: 'stock' | 'pg-boss' | 'bare' | 'broker';
  text: string;
}

const GOALS: readonly Goal[] = [
  { section: 'active', against: 'stock', text: '≥ 10' },
  { section: 'active', against: 'pg-boss', text: '≥ 3.5' },
  { section: 'active', against: 'bare', text: '≥ 0.45' },
  { section: 'active', against: 'broker', text: '' },
  { section: 'paused', against: 'bare', text: '≥ 0.55' },
  { section: 'evicting', against: 'bare', text: '≥ 0.45' },
];

const PAUSE_ACK_GOAL = '≤ 5';

/** The results as Markdown. */
export function report(results: Results): string {
  const parts = [
    results.machine + '.',
    `${PAYLOAD_BYTES}-byte messages over ${CONVERSATIONS.toLocaleString('en')} conversations; all in one run, in turn, on the same servers with durable settings. Ratios are taken round by round: the median, and the lowest and highest in brackets.`,
    throughputTable(results),
    ratioTable(results),
  ];
  if (results.pauseAck !== undefined) parts.push(pauseAckTable(results.pauseAck));
  if (results.leftOut.length > 0) parts.push(`Left out, for the time was up: ${results.leftOut.join(', ')}.`);
  return parts.filter((part) => part !== '').join('\n\n');
}

function throughputTable({ sections, stockOrder }: Results): string {
  const rows = Object.entries(sections).flatMap(([section, rounds]) =>
    [...rounds].map(([name, rates]) => {
      const beside = name === 'bare' && section !== 'active' ? `, beside ${section}` : '';
      const inversions = name === 'stock' && stockOrder ? `; ${orderText(stockOrder)}` : '';
      const title = name === 'ack' ? name : TITLES[name];
      return `| ${title}${beside}${inversions} | ${thousands(median(rates))} | ${rates.length} |`;
    }),
  );
  if (rows.length === 0) return '';
  return ['| | messages/s, median | rounds |', '|---|--:|--:|', ...rows].join('\n');
}

function orderText({ turns, overtaken, overtakenInConversation }: StockOrder): string {
  return `of ${thousands(turns)} turns ${thousands(overtaken)} came after a later message's, ${thousands(overtakenInConversation)} of them within a conversation`;
}

function ratioTable({ sections, pauseAck }: Results): string {
  const rows = GOALS.flatMap(({ section, against, text }) => {
    const ours = sections[section]?.get(section);
    const theirs = sections[section]?.get(against);
    if (ours === undefined || theirs === undefined) return [];
    return [`| ${section} / ${against} | ${ratioText(pairedRatio(ours, theirs))} | ${text} |`];
  });
  if (pauseAck !== undefined) {
    const what = 'pause ack, idle / (request + empty locked transaction)';
    rows.push(`| ${what} | ${ratioText(pauseAck.idleRatio)} | ${PAUSE_ACK_GOAL} |`);
  }
  if (rows.length === 0) return '';
  return ['| ratio | | goal |', '|---|--:|--:|', ...rows].join('\n');
}

function pauseAckTable({ idle, load }: PauseAckResult): string {
  const row = (what: string, name: keyof Latencies) =>
    `| ${what} | ${quantiles(idle[name])} | ${quantiles(load[name])} | ${idle[name].length} + ${load[name].length} |`;
  return [
    '| milliseconds, p50 / p99 | idle | while the active path runs at full speed | measured |',
    '|---|--:|--:|--:|',
    row('pause until its ack', 'pause'),
    row('NATS request to an echo', 'request'),
    row('transaction that locks one row', 'transaction'),
  ].join('\n');
}

function quantiles(values: number[]): string {
  return `${percentile(values, 0.5).toFixed(2)} / ${percentile(values, 0.99).toFixed(2)}`;
}

function ratioText({ median: middle, lowest, highest }: Ratio): string {
  return `${middle.toFixed(2)} (${lowest.toFixed(2)}–${highest.toFixed(2)})`;
}

function thousands(value: number): string {
  return Math.round(value).toLocaleString('en');
}
