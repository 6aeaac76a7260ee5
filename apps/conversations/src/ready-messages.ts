import type { StoredMessage } from '#store/queries/read-outbox.js';

/** What a reference in the outbox stands for. */
export interface ReadyReference {
  /** Of the inbound or the event that the row names. */
  id: string;
  messages: () => StoredMessage[];
}

/**
 * What the batches that this process stored last have left to publish, so that it need not be read back. Nothing
 * depends on it: the record holds all of it.
 */
export class ReadyMessages {
  private readonly references = new Map<string, ReadyReference>();
  /** Ids of each batch; the size of a batch is bounded, and so is the memory held here. */
  private readonly batches: string[][] = [];

  constructor(private readonly keptBatches: number) {}

  put(batch: readonly ReadyReference[]): void {
    for (const each of batch) this.references.set(each.id, each);
    this.batches.push(batch.map((each) => each.id));
    if (this.batches.length <= this.keptBatches) return;
    for (const forgotten of this.batches.shift() ?? []) this.references.delete(forgotten);
  }

  /** The messages of a reference, once. */
  take(id: string): StoredMessage[] | undefined {
    const reference = this.references.get(id);
    this.references.delete(id);
    return reference?.messages();
  }
}
