import type { EscalationUrgency } from '#contracts/escalation-state.js';
import type { EscalationEntry } from '#contracts/escalations-list.js';

const RANK: Record<EscalationUrgency, number> = { high: 0, normal: 1, low: 2 };
const AFTER_ALL_PENDING = 3;

/** The urgent ones first, of those who have waited longest; what is over comes last, the newest first. */
export function inQueueOrder(entries: readonly EscalationEntry[]): EscalationEntry[] {
  return [...entries].sort((a, b) => rankOf(a) - rankOf(b) || waitingOrder(a, b));
}

function rankOf({ state }: EscalationEntry): number {
  return state.state === 'pending' ? RANK[state.urgency] : AFTER_ALL_PENDING;
}

function waitingOrder({ state: a }: EscalationEntry, { state: b }: EscalationEntry): number {
  if (a.state === 'pending' && b.state === 'pending') return a.requested_at_ms - b.requested_at_ms;
  if (a.state === 'resolved' && b.state === 'resolved') return b.resolved_at_ms - a.resolved_at_ms;
  return 0;
}
