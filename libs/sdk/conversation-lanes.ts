import type { Turn } from '#contracts/turn.js';

/** A turn that waits or is worked on. */
export interface LaneTask {
  turn: Turn;
  /** Aborts when the turn is dropped. */
  signal: AbortSignal;
}

interface Lane {
  epoch: number;
  controller: AbortController;
  waiting: LaneTask[];
  running: LaneTask | undefined;
}

export interface ConversationLanesOptions {
  /** Conversations that are worked on at the same time. */
  concurrency: number;
  /** Works on one turn; never throws. */
  work: (task: LaneTask) => Promise<void>;
  /** A turn will not be worked on (any more): a Hold or a newer epoch has come. */
  dropped: (turn: Turn) => void;
}

const REMEMBERED_CONVERSATIONS = 10_000;

/** The turns at hand: one at a time of each conversation, in order, and several conversations at a time. */
export class ConversationLanes {
  private readonly lanes = new Map<string, Lane>();
  /** Keys of lanes that wait for their turn, the longest first. */
  private readonly ready = new Set<string>();
  private readonly underWay = new Set<Promise<void>>();
  private open = true;

  constructor(private readonly options: ConversationLanesOptions) {}

  /**
   * A Hold or a turn names its epoch. A newer one drops what was begun under an older.
   * @returns false if the epoch itself is outdated
   */
  enter(key: string, epoch: number): boolean {
    const lane = this.lane(key);
    if (epoch < lane.epoch) return false;
    if (epoch > lane.epoch) {
      lane.epoch = epoch;
      this.drop(lane);
      this.ready.delete(key);
    }
    return true;
  }

  /** Works on a turn after those of its conversation that came before. */
  add(key: string, turn: Turn): void {
    const lane = this.lane(key);
    lane.waiting.push({ turn, signal: lane.controller.signal });
    if (lane.running === undefined) this.ready.add(key);
    this.startNext();
  }

  /** Begins no further turn. @returns those that were not begun */
  close(): Turn[] {
    this.open = false;
    return [...this.lanes.values()].flatMap(({ waiting }) => waiting.splice(0).map(({ turn }) => turn));
  }

  /** Aborts what runs. */
  abortAll(): void {
    for (const lane of this.lanes.values()) lane.controller.abort();
  }

  async finished(): Promise<void> {
    await Promise.all(this.underWay);
  }

  private startNext(): void {
    for (const key of this.ready) {
      if (!this.open || this.underWay.size >= this.options.concurrency) return;
      this.ready.delete(key);
      const lane = this.lane(key);
      const task = lane.waiting.shift();
      if (task === undefined) continue;
      lane.running = task;
      const working = this.options.work(task).then(() => {
        this.underWay.delete(working);
        lane.running = undefined;
        if (lane.waiting.length > 0) this.ready.add(key);
        this.startNext();
      });
      this.underWay.add(working);
    }
  }

  private drop(lane: Lane): void {
    const dropped = lane.waiting.splice(0);
    if (lane.running !== undefined) dropped.push(lane.running);
    lane.controller.abort();
    lane.controller = new AbortController();
    for (const { turn } of dropped) this.options.dropped(turn);
  }

  private lane(key: string): Lane {
    const known = this.lanes.get(key);
    if (known !== undefined) return known;
    const lane = { epoch: 0, controller: new AbortController(), waiting: [], running: undefined };
    this.lanes.set(key, lane);
    if (this.lanes.size > REMEMBERED_CONVERSATIONS) this.forgetOldestIdle();
    return lane;
  }

  private forgetOldestIdle(): void {
    for (const [key, { running, waiting }] of this.lanes) {
      if (running !== undefined || waiting.length > 0) continue;
      this.lanes.delete(key);
      return;
    }
  }
}
