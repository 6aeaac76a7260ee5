import type { AgentEvent, EscalationRequestedEvent } from '#contracts/agent-event.js';

/** The new escalations of a batch of events: each scope once, with what it says last. */
export function newEscalations(events: readonly AgentEvent[], nowMs: number): EscalationRequestedEvent[] {
  const byScope = new Map<string, EscalationRequestedEvent>();
  for (const event of events) {
    const scope = 'scope' in event ? JSON.stringify(event.scope) : '';
    if (event.kind === 'escalation_requested' && nowMs - event.requested_at_ms < FRESH_MS) byScope.set(scope, event);
    else if (event.kind === 'escalation_resolved') byScope.delete(scope);
  }
  return [...byScope.values()];
}

/** What a page learns later than this, after it was offline, is no news to ring a bell for. */
const FRESH_MS = 10 * 60_000;
