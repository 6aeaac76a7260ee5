const FIRST_MS = 300;
const LONGEST_MS = 10_000;

/**
 * How long to wait before the next attempt: doubled with each failure, spread so that many pages do not come at once.
 * @param failures attempts that failed in a row, from 1.
 * @param chance from 0 to 1.
 */
export function retryDelayMs(failures: number, chance: number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10));
  return Math.round(longest * (0.5 + chance / 2));
}
