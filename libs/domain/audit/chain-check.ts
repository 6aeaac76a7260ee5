import { auditRowHash, CHAIN_START, type ChainedRow } from './audit-chain.js';

/** A place in the chain: a row's position and hash. */
export interface ChainPlace {
  position: number;
  hash: Uint8Array;
}

/** Something that cannot be so in a log that was only ever added to. */
export type ChainFinding =
  /** The row does not fit its hash: it was changed, or the row before it and that one's hash were. */
  | { kind: 'changed'; position: number }
  | { kind: 'missing'; from: number; to: number }
  /** A row that has a position which was never given, or was given to another row, or that was removed since. */
  | { kind: 'inserted'; position: number; id: string }
  /** The place that the caller kept is not in the chain. */
  | { kind: 'rewritten'; position: number };

/** Follows the chain row by row and notes where it is broken. */
export class ChainCheck {
  readonly findings: ChainFinding[] = [];
  private last: ChainPlace;
  /** False behind a gap, where the hash of the row before is not known. */
  private follows = true;

  /**
   * @param head what was noted as the newest row
   * @param removedThrough up to where retention has removed rows, as the newest row about that says
   * @param kept a place that the caller was told earlier
   */
  constructor(
    private readonly head: ChainPlace,
    removedThrough: ChainPlace = { position: 0, hash: CHAIN_START },
    private readonly kept?: ChainPlace,
  ) {
    this.last = removedThrough;
    this.compareWithKept(this.last);
  }

  /** The next row in the order of positions, with its stored hash. */
  add(row: ChainedRow, hash: Uint8Array): void {
    const position = Number(row.position);
    if (position <= this.last.position || position > this.head.position) {
      this.findings.push({ kind: 'inserted', position, id: row.id });
      return;
    }
    if (position > this.last.position + 1) {
      this.findings.push({ kind: 'missing', from: this.last.position + 1, to: position - 1 });
      this.follows = false;
    }
    if (this.follows && !auditRowHash(this.last.hash, row).equals(hash)) {
      this.findings.push({ kind: 'changed', position });
    }
    this.follows = true;
    this.last = { position, hash };
    this.compareWithKept(this.last);
  }

  /** After the last row. */
  end(): void {
    const { head } = this;
    if (head.position > this.last.position) {
      this.findings.push({ kind: 'missing', from: this.last.position + 1, to: head.position });
    } else if (head.position === this.last.position && !Buffer.from(head.hash).equals(this.last.hash)) {
      this.findings.push({ kind: 'changed', position: this.last.position });
    }
    if (this.kept !== undefined && this.kept.position > this.last.position) {
      this.findings.push({ kind: 'rewritten', position: this.kept.position });
    }
  }

  private compareWithKept({ position, hash }: ChainPlace): void {
    if (this.kept?.position !== position || Buffer.from(hash).equals(this.kept.hash)) return;
    this.findings.push({ kind: 'rewritten', position });
  }
}
