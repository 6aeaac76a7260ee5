import type { ServerResponse } from 'node:http';

import type { StreamEnd } from '../gateway-metrics.js';
import { HEARTBEAT_FRAME, OPENING_FRAME } from './event-frame.js';

export interface SseClientOptions {
  /** Bytes that may wait for a client that does not read. */
  maxBacklogBytes: number;
  heartbeatMs: number;
  /** How long a client may take to make room while it is sent what it has missed. */
  drainLimitMs: number;
  onEnd: (reason: StreamEnd | 'client') => void;
}

/** One open response. Whatever ends it, it ends once, and nothing is written to it afterwards. */
export class SseClient {
  readonly ended: Promise<void>;
  private resolveEnded: () => void = () => undefined;
  private readonly aborter = new AbortController();
  private readonly heartbeat: NodeJS.Timeout;
  private open = true;

  constructor(
    private readonly response: ServerResponse,
    private readonly options: SseClientOptions,
  ) {
    this.ended = new Promise((resolve) => (this.resolveEnded = resolve));
    response.on('close', () => this.finish('client'));
    response.on('error', () => this.finish('client'));
    this.heartbeat = setInterval(() => this.send(HEARTBEAT_FRAME), options.heartbeatMs);
    if (response.destroyed) this.finish('client');
    else response.write(OPENING_FRAME);
  }

  get isOpen(): boolean {
    return this.open;
  }

  /** Aborts when it has ended. */
  get signal(): AbortSignal {
    return this.aborter.signal;
  }

  /** One that has let too much wait is cut off, so that it costs no more memory; it may come back. */
  send(frame: Buffer): void {
    if (!this.open) return;
    const waiting = this.response.writableLength;
    if (waiting > 0 && waiting + frame.length > this.options.maxBacklogBytes) return this.end('slow');
    this.response.write(frame);
  }

  /** Resolves when what was sent is on its way, or the client has ended. */
  async drained(): Promise<void> {
    if (!this.open || !this.response.writableNeedDrain) return;
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      this.ended,
      new Promise<void>((resolve) => this.response.once('drain', resolve)),
      new Promise<void>((resolve) => {
        timer = setTimeout(() => resolve(this.end('slow')), this.options.drainLimitMs);
      }),
    ]);
    clearTimeout(timer);
  }

  /** Ends the response: in order, or at once if the client does not read. */
  end(reason: StreamEnd): void {
    if (!this.open) return;
    this.finish(reason);
    if (reason === 'slow') this.response.destroy();
    else this.response.end();
  }

  private finish(reason: StreamEnd | 'client'): void {
    if (!this.open) return;
    this.open = false;
    clearInterval(this.heartbeat);
    this.aborter.abort();
    this.resolveEnded();
    this.options.onEnd(reason);
  }
}
