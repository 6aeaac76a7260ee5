/** The value below which the share `portion` (0 … 1) of the values lies; NaN without values. */
export function percentile(values: readonly number[], portion: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * portion))] ?? NaN;
}

/** The middle value, or the mean of the two in the middle; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN;
  return (lower + upper) / 2;
}

/** A ratio of two things that were measured in turn, round by round. */
export interface Ratio {
  median: number;
  lowest: number;
  highest: number;
}

/** Divides round by round, so that a slow minute of the machine counts on both sides. */
export function pairedRatio(numerators: readonly number[], denominators: readonly number[]): Ratio {
  const pairs = numerators.slice(0, denominators.length).map((numerator, round) => numerator / denominators[round]!);
  return { median: median(pairs), lowest: Math.min(...pairs), highest: Math.max(...pairs) };
}
