import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Why an event stream was ended by the gateway. */
export type StreamEnd = 'slow' | 'revoked' | 'logged_out' | 'stopping' | 'failed';

/** The gateway's figures. */
export class GatewayMetrics {
  private readonly rpcSeconds: Histogram;
  private readonly clients: Gauge;
  private readonly events: Counter;
  private readonly ended: Counter;
  private readonly limited: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.rpcSeconds = new Histogram({
      name: 'holdline_http_rpc_seconds',
      help: 'Time to answer a command over HTTP, by method and error code; the code is ok when it succeeded',
      labelNames: ['method', 'code'],
      buckets: SECONDS,
      registers,
    });
    this.clients = new Gauge({ name: 'holdline_sse_clients', help: 'Open event streams', registers });
    this.events = new Counter({ name: 'holdline_sse_events_total', help: 'Events read for event streams', registers });
    this.ended = new Counter({
      name: 'holdline_sse_ended_total',
      help: 'Event streams that the gateway ended, by reason',
      labelNames: ['reason'],
      registers,
    });
    this.limited = new Counter({
      name: 'holdline_http_rate_limited_total',
      help: 'Requests refused because there were too many',
      registers,
    });
  }

  /** @param method of the contract, or `unknown` */
  observeRpc(method: string, code: number | 'ok', durationMs: number): void {
    this.rpcSeconds.observe({ method, code: String(code) }, durationMs / 1_000);
  }

  clientOpened(): void {
    this.clients.inc();
  }

  clientClosed(): void {
    this.clients.dec();
  }

  countEvents(count: number): void {
    this.events.inc(count);
  }

  countEnded(reason: StreamEnd): void {
    this.ended.inc({ reason });
  }

  countLimited(): void {
    this.limited.inc();
  }
}
