import type { StreamRecord } from './stream-record.js';

export interface BatchLimits {
  /** At least 1. */
  maxMessages: number;
  /** Of payload; a single message may be larger. */
  maxBytes: number;
  /** How long a batch is filled, from its first message on, when nothing was waiting. */
  maxWaitMs: number;
}

/** What has arrived and was not asked for yet, handed out in batches to one reader. */
export class RecordQueue {
  private records: StreamRecord[] = [];
  private byteCount = 0;
  private waiter: { enough: () => boolean; wake: () => void } | undefined;
  private ended: { error?: Error } | undefined;

  constructor(private readonly limits: BatchLimits) {}

  get size(): number {
    return this.records.length;
  }

  /** Of payload. */
  get bytes(): number {
    return this.byteCount;
  }

  push(record: StreamRecord): void {
    this.records.push(record);
    this.byteCount += record.data.length;
    if (this.waiter?.enough()) this.waiter.wake();
  }

  /** The reader gets nothing more; with an error it fails. Only the first call counts. */
  end(error?: Error): void {
    this.ended ??= error ? { error } : {};
    this.waiter?.wake();
  }

  /**
   * What has arrived, at once; if nothing has, the first message and what comes within `maxWaitMs` of it.
   * Undefined after the end.
   */
  async next(): Promise<StreamRecord[] | undefined> {
    if (this.records.length === 0) {
      await this.until(() => this.records.length > 0);
      if (!this.isFull()) await this.until(() => this.isFull(), this.limits.maxWaitMs);
    }
    if (this.ended?.error) throw this.ended.error;
    return this.ended ? undefined : this.take();
  }

  private isFull(): boolean {
    return this.records.length >= this.limits.maxMessages || this.byteCount >= this.limits.maxBytes;
  }

  private until(enough: () => boolean, timeoutMs?: number): Promise<void> {
    if (this.ended) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.waiter = undefined;
        resolve();
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(wake, timeoutMs);
      this.waiter = { enough, wake };
    });
  }

  private take(): StreamRecord[] {
    const { maxMessages, maxBytes } = this.limits;
    let count = 0;
    let bytes = 0;
    for (const { data } of this.records) {
      if (count === maxMessages || (count > 0 && bytes + data.length > maxBytes)) break;
      count++;
      bytes += data.length;
    }
    this.byteCount -= bytes;
    return this.records.splice(0, count);
  }
}
