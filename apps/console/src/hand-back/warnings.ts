import { MAX_SUMMARY_CHARACTERS } from '#contracts/limits.js';
import { countCharacters } from '#contracts/text.js';
import type { Turn } from '#contracts/turn.js';

import { OLD_MESSAGE_MS } from '../format/times.js';

/** How many messages the agent would answer although they are older than an hour. */
export function countOldMessages(turn: Turn | undefined, nowMs: number): number {
  return (turn?.inbounds ?? []).filter(
    ({ answered, timestamp_ms }) => !answered && nowMs - timestamp_ms > OLD_MESSAGE_MS,
  ).length;
}

export interface SummaryLength {
  characters: number;
  isTooLong: boolean;
}

/** Counted like the contract does: Unicode characters of the summary as given. */
export function summaryLength(summary: string): SummaryLength {
  const characters = countCharacters(summary);
  return { characters, isTooLong: characters > MAX_SUMMARY_CHARACTERS };
}
