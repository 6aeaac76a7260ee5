/** Runs an action once for all that ask within a time. */
export class Settled {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly action: () => void,
    private readonly afterMs: number,
  ) {}

  ask(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.action();
    }, this.afterMs);
  }

  cancel(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
