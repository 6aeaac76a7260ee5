import type { EventFrame } from './event-frame.js';

/** The newest events, for clients that come back after a short break. */
export class RecentFrames {
  private frames: EventFrame[] = [];
  private bytes = 0;

  constructor(
    /** Every event after this sequence that was added is here. */
    private completeAfter: number,
    private readonly limits: { maxFrames: number; maxBytes: number },
  ) {}

  add(frames: readonly EventFrame[]): void {
    for (const frame of frames) {
      this.frames.push(frame);
      this.bytes += frame.bytes.length;
    }
    let drop = 0;
    while (this.frames.length - drop > this.limits.maxFrames || this.bytes > this.limits.maxBytes) {
      const oldest = this.frames[drop];
      if (oldest === undefined) break;
      this.bytes -= oldest.bytes.length;
      this.completeAfter = oldest.seq;
      drop++;
    }
    this.frames.splice(0, drop);
  }

  /** What came after a sequence, oldest first; undefined if not all of it is here any more. */
  after(seq: number): readonly EventFrame[] | undefined {
    if (seq < this.completeAfter) return undefined;
    const first = this.frames.findIndex((frame) => frame.seq > seq);
    return first === -1 ? [] : this.frames.slice(first);
  }
}
