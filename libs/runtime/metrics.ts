import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const COMMAND_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** What became of an inbound. */
export type InboundOutcome = 'forwarded' | 'buffered' | 'duplicate' | 'quarantined';

/** What is read from the database from time to time, because it is the state of all processes together. */
export interface StoredFigures {
  bufferDepth: number;
  pausedConversations: number;
  /** Absent when nothing is paused. */
  oldestPauseAgeMs?: number;
  openEscalations: number;
  /** Open ones that have raised an alarm. */
  overdueEscalations: number;
  outboxRows: number;
  /** Absent when the outbox is empty. */
  oldestOutboxRowAgeMs?: number;
}

/** The figures of one process in the format of Prometheus. Times are in seconds, as its conventions ask. */
export class Metrics {
  readonly registry = new Registry();
  private readonly inbounds = this.counter('holdline_inbounds_total', 'Inbounds by what became of them', ['outcome']);
  private readonly batchSeconds = new Histogram({
    name: 'holdline_batch_seconds',
    help: 'Time from a batch of inbounds at hand to its commit',
    buckets: COMMAND_SECONDS,
    registers: [this.registry],
  });
  private readonly batchInbounds = new Histogram({
    name: 'holdline_batch_inbounds',
    help: 'Inbounds in a batch',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers: [this.registry],
  });
  private readonly evictions = this.counter('holdline_buffer_evictions_total', 'Inbounds evicted from full buffers');
  private readonly published = this.counter('holdline_outbox_published_total', 'Outbox rows published, by kind', [
    'kind',
  ]);
  private readonly outbounds = this.counter('holdline_outbounds_total', 'Messages to channels by origin and outcome', [
    'origin',
    'outcome',
  ]);
  private readonly channelReports = this.counter(
    'holdline_channel_reports_total',
    'Status reports and echoes of channels by what became of them',
    ['kind', 'outcome'],
  );
  private readonly rpcSeconds = new Histogram({
    name: 'holdline_rpc_seconds',
    help: 'Time to answer a command, by method and error code; the code is ok when it succeeded',
    labelNames: ['method', 'code'],
    buckets: COMMAND_SECONDS,
    registers: [this.registry],
  });
  private readonly unauthenticated = this.counter(
    'holdline_unauthenticated_requests_total',
    'Requests without a valid token',
  );
  private readonly removed = this.counter('holdline_retention_removed_total', 'Rows removed because of their age', [
    'kind',
  ]);
  private readonly bufferDepth = this.gauge('holdline_buffer_depth', 'Inbounds that wait for a resume');
  private readonly paused = this.gauge('holdline_paused_conversations', 'Conversations that a person holds');
  private readonly oldestPause = this.gauge('holdline_oldest_pause_seconds', 'Age of the oldest hold; 0 if none');
  private readonly openEscalations = this.gauge('holdline_open_escalations', 'Escalations that wait for a person');
  private readonly overdueEscalations = this.gauge(
    'holdline_overdue_escalations',
    'Open escalations that have raised an alarm',
  );
  private readonly outboxRows = this.gauge('holdline_outbox_rows', 'Rows that wait to be published');
  private readonly outboxAge = this.gauge('holdline_outbox_oldest_seconds', 'Age of the oldest outbox row; 0 if none');

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  countInbounds(outcome: InboundOutcome, count: number): void {
    this.inbounds.inc({ outcome }, count);
  }

  observeBatch(inbounds: number, durationMs: number): void {
    this.batchInbounds.observe(inbounds);
    this.batchSeconds.observe(durationMs / 1000);
  }

  countEvictions(count: number): void {
    this.evictions.inc(count);
  }

  countPublished(kind: string, count: number): void {
    this.published.inc({ kind }, count);
  }

  /** @param outcome what became of a message to a channel, such as `sent` */
  countOutbound(origin: string, outcome: string): void {
    this.outbounds.inc({ origin, outcome });
  }

  /** @param outcome what became of a report of a channel, such as `unknown` */
  countChannelReport(kind: 'status' | 'echo', outcome: string): void {
    this.channelReports.inc({ kind, outcome });
  }

  /** @param code the JSON-RPC error code, or `ok`. */
  observeRpc(method: string, code: number | 'ok', durationMs: number): void {
    this.rpcSeconds.observe({ method, code: String(code) }, durationMs / 1000);
  }

  countRemoved(kind: string, rows: number): void {
    this.removed.inc({ kind }, rows);
  }

  countUnauthenticated(): void {
    this.unauthenticated.inc();
  }

  setStoredFigures(figures: StoredFigures): void {
    this.bufferDepth.set(figures.bufferDepth);
    this.paused.set(figures.pausedConversations);
    this.oldestPause.set((figures.oldestPauseAgeMs ?? 0) / 1000);
    this.openEscalations.set(figures.openEscalations);
    this.overdueEscalations.set(figures.overdueEscalations);
    this.outboxRows.set(figures.outboxRows);
    this.outboxAge.set((figures.oldestOutboxRowAgeMs ?? 0) / 1000);
  }

  private counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  private gauge(name: string, help: string): Gauge {
    return new Gauge({ name, help, registers: [this.registry] });
  }
}
