import type { AgentEvent } from '#contracts/agent-event.js';
import type { AgentEventNotification } from '#contracts/notifications.js';

import { retryDelayMs } from './retry-delay.js';
import { type SseMessage, SseParser } from './sse-parser.js';

/** Whether what is shown follows what happens. */
export type LiveStatus = { kind: 'connecting' } | { kind: 'live' } | { kind: 'down'; sinceMs: number };

export interface EventStreamOptions {
  fetch: typeof fetch;
  /** Says `online` when the machine has a network again. */
  network: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  onEvent(event: AgentEvent): void;
  /** Events may have been missed: whatever was read before has to be read again. */
  onGap(): void;
  onStatus(status: LiveStatus): void;
  onUnauthenticated(): void;
}

/** The gateway sends at least a comment every 15 s. */
const SILENCE_LIMIT_MS = 40_000;

/**
 * Follows `GET /events` until `signal` aborts. Reconnects by itself, from the last event that it has seen, also when a
 * connection stays open but falls silent. Fetch rather than EventSource, which cannot notice that silence.
 */
export async function followEvents(options: EventStreamOptions, signal: AbortSignal): Promise<void> {
  const follower = new Follower(options);
  while (!signal.aborted) {
    await follower.connectOnce(signal).catch(() => undefined);
    if (signal.aborted) return;
    follower.noteDown();
    await pause(retryDelayMs(follower.failures, Math.random()), options.network, signal);
  }
}

class Follower {
  failures = 0;
  private lastId: string | undefined;
  private everOpened = false;
  private down = false;

  constructor(private readonly options: EventStreamOptions) {}

  /** Resolves or rejects when the connection has ended. */
  async connectOnce(signal: AbortSignal): Promise<void> {
    const silence = new AbortController();
    const watchdog = new Watchdog(() => silence.abort(), SILENCE_LIMIT_MS);
    try {
      const response = await this.options.fetch('/events', {
        credentials: 'same-origin',
        headers: {
          accept: 'text/event-stream',
          ...(this.lastId === undefined ? {} : { 'last-event-id': this.lastId }),
        },
        signal: AbortSignal.any([signal, silence.signal]),
      });
      if (response.status === 401) this.options.onUnauthenticated();
      if (!response.ok || response.body === null) return;
      this.noteOpen();
      const parser = new SseParser();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        watchdog.touch();
        for (const message of parser.push(piece.value)) this.take(message);
      }
    } finally {
      watchdog.stop();
      silence.abort();
    }
  }

  noteDown(): void {
    this.failures += 1;
    if (this.down) return;
    this.down = true;
    this.options.onStatus({ kind: 'down', sinceMs: Date.now() });
  }

  private noteOpen(): void {
    const missed = this.lastId === undefined && (this.everOpened || this.down);
    this.everOpened = true;
    this.failures = 0;
    this.down = false;
    if (missed) this.options.onGap();
    this.options.onStatus({ kind: 'live' });
  }

  private take({ event, data, id }: SseMessage): void {
    if (id !== undefined) this.lastId = id;
    if (event === 'resync') this.options.onGap();
    else if (event === 'message') this.options.onEvent((JSON.parse(data) as AgentEventNotification).params);
  }
}

class Watchdog {
  private timer: ReturnType<typeof setTimeout>;

  constructor(
    private readonly onSilence: () => void,
    private readonly limitMs: number,
  ) {
    this.timer = setTimeout(onSilence, limitMs);
  }

  touch(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.onSilence, this.limitMs);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

/** Ends early when the machine is online again. */
function pause(ms: number, network: EventStreamOptions['network'], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      network.removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    network.addEventListener('online', end);
  });
}
