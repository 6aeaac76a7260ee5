import { MAX_AUTO_RESUME_AFTER_MS, MIN_AUTO_RESUME_AFTER_MS } from '#contracts/limits.js';

import type { HoldOptions } from './use-hold.js';

export const AUTO_HAND_BACKS = ['never', '15m', '1h', '4h', '1d', 'custom'] as const;
export type AutoHandBack = (typeof AUTO_HAND_BACKS)[number];

const MINUTE_MS = 60_000;
const AFTER_MS: Record<Exclude<AutoHandBack, 'never' | 'custom'>, number> = {
  '15m': 15 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '4h': 240 * MINUTE_MS,
  '1d': 1_440 * MINUTE_MS,
};

export interface HoldForm {
  reason: string;
  after: AutoHandBack;
  /** For `custom`. */
  minutes: string;
}

/** What a Hold is given; undefined for a time that the contract does not allow. */
export function holdOptions({ reason, after, minutes }: HoldForm): HoldOptions | undefined {
  const told = reason.trim() === '' ? {} : { reason: reason.trim() };
  if (after === 'never') return told;
  const ms = after === 'custom' ? Math.round(Number(minutes) * MINUTE_MS) : AFTER_MS[after];
  if (!(ms >= MIN_AUTO_RESUME_AFTER_MS && ms <= MAX_AUTO_RESUME_AFTER_MS)) return undefined;
  return { ...told, auto_resume_after_ms: ms };
}
