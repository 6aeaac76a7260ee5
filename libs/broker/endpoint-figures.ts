/** Counts one endpoint's answers: the service itself measures a request only until its handler first waits. */
export class EndpointFigures {
  private errors = 0;
  private finished = 0;
  private totalMs = 0;

  countFinished(durationMs: number): void {
    this.finished++;
    this.totalMs += durationMs;
  }

  countError(): void {
    this.errors++;
  }

  /** What `nats micro stats` shows as the endpoint's data. */
  toJson(): { answered_errors: number; average_ms: number } {
    return { answered_errors: this.errors, average_ms: this.finished === 0 ? 0 : this.totalMs / this.finished };
  }
}
