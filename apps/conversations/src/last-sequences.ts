/** The last sequence that this process knows of each turn subject; the least recently used are forgotten. */
export class LastSequences {
  private readonly sequences = new Map<string, number>();

  constructor(private readonly capacity: number) {}

  get(subject: string): number | undefined {
    return this.sequences.get(subject);
  }

  /** Notes an acknowledged sequence. That of a duplicate is older than what is known, and changes nothing. */
  acknowledged(subject: string, seq: number): void {
    this.set(subject, Math.max(seq, this.sequences.get(subject) ?? 0));
  }

  /** Replaces what is known by what the stream says. */
  set(subject: string, seq: number): void {
    this.sequences.delete(subject);
    this.sequences.set(subject, seq);
    if (this.sequences.size > this.capacity) {
      for (const oldest of this.sequences.keys()) {
        this.sequences.delete(oldest);
        break;
      }
    }
  }
}
