import type { AgentEvent } from '#contracts/agent-event.js';

/** Hands on events in small batches, so that a burst draws the page once. */
export class EventFeed {
  private readonly listeners = new Set<(events: readonly AgentEvent[]) => void>();
  private readonly recordings = new Set<AgentEvent[]>();
  private waiting: AgentEvent[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly batchMs: number) {}

  push(event: AgentEvent): void {
    for (const recording of this.recordings) recording.push(event);
    this.waiting.push(event);
    this.timer ??= setTimeout(() => this.flush(), this.batchMs);
  }

  /** @returns how to stop listening. */
  listen(listener: (events: readonly AgentEvent[]) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /**
   * What `read` gives, with the events that came while it was reading: they may tell of what it was too early to see.
   */
  async during<Result>(read: () => Promise<Result>): Promise<{ result: Result; meanwhile: readonly AgentEvent[] }> {
    const meanwhile: AgentEvent[] = [];
    this.recordings.add(meanwhile);
    try {
      return { result: await read(), meanwhile };
    } finally {
      this.recordings.delete(meanwhile);
    }
  }

  private flush(): void {
    this.timer = undefined;
    const events = this.waiting;
    this.waiting = [];
    for (const listener of this.listeners) listener(events);
  }
}
