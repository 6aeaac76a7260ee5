import { type Sample, total } from './prometheus-text.js';

/** The figures that an operator wants to see, each from one look at `/metrics`. */
export const FIGURES = [
  { name: 'inbounds', metric: 'holdline_inbounds_total', kind: 'rate' },
  { name: 'buffered', metric: 'holdline_buffer_depth', kind: 'level' },
  { name: 'held', metric: 'holdline_paused_conversations', kind: 'level' },
  { name: 'oldestHold', metric: 'holdline_oldest_pause_seconds', kind: 'seconds' },
  { name: 'evictions', metric: 'holdline_buffer_evictions_total', kind: 'rate' },
  { name: 'outboxRows', metric: 'holdline_outbox_rows', kind: 'level' },
  { name: 'outboxAge', metric: 'holdline_outbox_oldest_seconds', kind: 'seconds' },
  { name: 'outbounds', metric: 'holdline_outbounds_total', kind: 'rate' },
  { name: 'openEscalations', metric: 'holdline_open_escalations', kind: 'level' },
  { name: 'overdueEscalations', metric: 'holdline_overdue_escalations', kind: 'level' },
  { name: 'pages', metric: 'holdline_sse_clients', kind: 'level' },
  { name: 'commands', metric: 'holdline_rpc_seconds_count', kind: 'rate' },
] as const satisfies readonly { name: string; metric: string; kind: 'rate' | 'level' | 'seconds' }[];
export type Figure = (typeof FIGURES)[number];

/** One look at the figures. */
export interface Look {
  atMs: number;
  values: Readonly<Partial<Record<Figure['name'], number>>>;
}

export function lookAt(samples: readonly Sample[], atMs: number): Look {
  const values: Partial<Record<Figure['name'], number>> = {};
  for (const { name, metric } of FIGURES) {
    const value = total(samples, metric);
    if (value !== undefined) values[name] = value;
  }
  return { atMs, values };
}

/** The points of a figure's chart, oldest first: levels as they are, counters as what came in a second. */
export function series({ name, kind }: Figure, looks: readonly Look[]): number[] {
  const points = looks.flatMap(({ atMs, values }) =>
    values[name] === undefined ? [] : [{ atMs, value: values[name] }],
  );
  if (kind !== 'rate') return points.map(({ value }) => value);
  return points.slice(1).map((point, index) => {
    const before = points[index] ?? point;
    const seconds = (point.atMs - before.atMs) / 1_000;
    // A counter that fell began anew with its process.
    const came = point.value >= before.value ? point.value - before.value : point.value;
    return seconds > 0 ? came / seconds : 0;
  });
}

/** The `points` of a polyline in a box, the lowest value 0 at the bottom. */
export function polyline(values: readonly number[], width: number, height: number): string {
  const most = Math.max(...values, Number.MIN_VALUE);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values
    .map((value, index) => `${(index * step).toFixed(1)},${(height - (value / most) * height).toFixed(1)}`)
    .join(' ');
}
