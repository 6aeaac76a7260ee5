import type { StampedTurn } from './stamped-turn.js';

/**
 * Turns of the batches that this process stored last, so that they need not be read back to be published. Nothing
 * depends on them: the record holds all of it.
 */
export class ReadyTurns {
  private readonly turns = new Map<string, StampedTurn>();
  /** Ids of the turns of each batch; the size of a batch is bounded, and so is the memory held here. */
  private readonly batches: string[][] = [];

  constructor(private readonly keptBatches: number) {}

  put(batch: readonly StampedTurn[]): void {
    for (const each of batch) this.turns.set(each.turn.turn_id, each);
    this.batches.push(batch.map((each) => each.turn.turn_id));
    if (this.batches.length <= this.keptBatches) return;
    for (const forgotten of this.batches.shift() ?? []) this.turns.delete(forgotten);
  }

  /** The turn of an inbound, once. */
  take(inboundId: string): StampedTurn | undefined {
    const turn = this.turns.get(inboundId);
    this.turns.delete(inboundId);
    return turn;
  }
}
