/** Numbers that look like chance and are the same for the same seed (mulberry32). */
export class SeededRandom {
  private state: number;

  /** @param seed any integer */
  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between([shortest, longest]: readonly [number, number]): number {
    return shortest + this.next() * (longest - shortest);
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[Math.floor(this.next() * items.length)] as Item;
  }
}
