/** Runs a bounded number of tasks at a time and keeps a bounded queue of others, in order of arrival. */
export class RequestSlots {
  private readonly queue: { bytes: number; run: () => Promise<void>; drop: () => void }[] = [];
  private queuedBytes = 0;
  private running = 0;
  private idle: () => void = () => {};

  constructor(private readonly limits: { maxRunning: number; maxQueuedBytes: number }) {}

  /**
   * Runs the task now or later; `run` must not reject. `drop` is called instead if the task is given up before it
   * began. False if the queue has no room: then neither is called.
   */
  add(task: { bytes: number; run: () => Promise<void>; drop: () => void }): boolean {
    if (this.running < this.limits.maxRunning) {
      this.start(task.run);
      return true;
    }
    if (this.queuedBytes + task.bytes > this.limits.maxQueuedBytes) return false;
    this.queue.push(task);
    this.queuedBytes += task.bytes;
    return true;
  }

  /**
   * Resolves when nothing runs or waits any more, at the latest after `timeoutMs`; then what still waits is dropped.
   * True if everything was finished.
   */
  async drain(timeoutMs: number): Promise<boolean> {
    if (this.running === 0) return true;
    let timer: NodeJS.Timeout | undefined;
    const finished = new Promise<boolean>((resolve) => {
      this.idle = () => resolve(true);
      timer = setTimeout(() => resolve(false), timeoutMs);
    });
    const result = await finished;
    clearTimeout(timer);
    for (const { drop } of this.queue.splice(0)) drop();
    return result;
  }

  private start(run: () => Promise<void>): void {
    this.running++;
    void run().finally(() => {
      this.running--;
      const next = this.queue.shift();
      if (next) {
        this.queuedBytes -= next.bytes;
        this.start(next.run);
      } else if (this.running === 0) {
        this.idle();
      }
    });
  }
}
