/** What the agent does for one conversation: one thing after the other, and all of it dropped at once. */
export class ConversationWork {
  private epoch = 0;
  private current = new AbortController();
  private last: Promise<void> = Promise.resolve();

  /**
   * Holds and turns name the epoch that they belong to. A newer one drops what was begun under an older.
   * @returns false if the epoch itself is outdated
   */
  enter(epoch: number): boolean {
    if (epoch < this.epoch) return false;
    if (epoch > this.epoch) {
      this.epoch = epoch;
      this.drop();
    }
    return true;
  }

  /** Runs a task after those before it. Its signal aborts when it is dropped; a task never throws. */
  add(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.current;
    this.last = this.last.then(() => task(signal));
    return this.last;
  }

  drop(): void {
    this.current.abort();
    this.current = new AbortController();
  }
}
