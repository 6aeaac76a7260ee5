import type { Measurement } from './options.js';

/** Something whose throughput is measured in rounds. Its servers are up before `prepare` and until after `close`. */
export interface Contender {
  readonly name: Measurement;
  /** Creates what every round needs; called once, before the first round. */
  prepare?(): Promise<void>;
  /** Works through one round and checks what came out of it; messages a second. */
  round(): Promise<number>;
  /** Checks what all rounds together have left; called once, after the last round. */
  check?(): Promise<void>;
  /** Called in any case. */
  close?(): Promise<void>;
}

/** Messages a second, round by round, of each contender. */
export type RoundResults = Map<Measurement, number[]>;

export interface RoundsOptions {
  rounds: number;
  /** On the clock of `Date.now()`: after it no further round begins, though one is always played. */
  softDeadlineMs: number;
  log: (line: string) => void;
}

/**
 * Lets the contenders play their rounds in turn, forwards and backwards, so that whatever else the machine does and
 * however it drifts meets all of them alike.
 */
export async function playRounds(contenders: readonly Contender[], options: RoundsOptions): Promise<RoundResults> {
  const results: RoundResults = new Map(contenders.map(({ name }) => [name, []]));
  try {
    for (const contender of contenders) await contender.prepare?.();
    for (let round = 0; round < options.rounds; round++) {
      if (round > 0 && Date.now() > options.softDeadlineMs) break;
      for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
        const rate = await contender.round();
        results.get(contender.name)!.push(rate);
        options.log(`round ${round + 1} of ${options.rounds}, ${contender.name}: ${Math.round(rate)} messages/s`);
      }
    }
    for (const contender of contenders) await contender.check?.();
  } finally {
    for (const contender of contenders) await contender.close?.();
  }
  return results;
}
