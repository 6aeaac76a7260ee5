import { ESCALATION_WINDOW_MS, MAX_ESCALATIONS_PER_WINDOW } from '#contracts/limits.js';

/** What of a scope decides whether it can be escalated. */
export interface EscalationContext {
  /** An operator has the conversation. */
  held: boolean;
  /** An escalation of it is pending. */
  pending: boolean;
  /** When the escalations of the last hour were requested, in epoch milliseconds; in any order. */
  recentMs: readonly number[];
}

export type EscalationDecision =
  | { kind: 'requested' }
  /** A person has it, or has been asked for. */
  | { kind: 'nothing' }
  | { kind: 'throttled'; retryAfterMs: number };

/** One pending escalation a scope, none while an operator holds it, and at most three within an hour. */
export function decideEscalation({ held, pending, recentMs }: EscalationContext, nowMs: number): EscalationDecision {
  if (held || pending) return { kind: 'nothing' };
  const within = recentMs.filter((atMs) => atMs > nowMs - ESCALATION_WINDOW_MS).sort((a, b) => a - b);
  const blocking = within.at(-MAX_ESCALATIONS_PER_WINDOW);
  if (blocking === undefined) return { kind: 'requested' };
  return { kind: 'throttled', retryAfterMs: blocking + ESCALATION_WINDOW_MS - nowMs };
}
