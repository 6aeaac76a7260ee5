import type { AgentEvent } from '#contracts/agent-event.js';
import type { EscalationEntry } from '#contracts/escalations-list.js';

import { newEscalations } from './announce.js';
import { inQueueOrder } from './queue-order.js';

const scope = (contact_id: string) =>
  ({ kind: 'conversation', agent_id: 'ana', channel: 'web', account_id: 'main', contact_id }) as const;

describe('newEscalations', () => {
  const requested = (contact: string, requested_at_ms: number) =>
    ({ kind: 'escalation_requested', scope: scope(contact), requested_at_ms }) as AgentEvent;
  const resolved = (contact: string) => ({ kind: 'escalation_resolved', scope: scope(contact) }) as AgentEvent;

  it('rings once for each conversation that still needs somebody', () => {
    const events = [requested('ada', 1), requested('bob', 2), requested('ada', 3), resolved('bob')];
    expect(newEscalations(events, 10)).toEqual([requested('ada', 3)]);
  });

  it('does not ring for what is old by now', () => {
    expect(newEscalations([requested('ada', 0)], 3_600_000)).toEqual([]);
  });
});

describe('inQueueOrder', () => {
  it('has the urgent first, then those who wait longest, then what is over', () => {
    const pending = (urgency: string, requested_at_ms: number) =>
      ({
        scope: scope(`${urgency} ${requested_at_ms}`),
        state: { state: 'pending', urgency, requested_at_ms },
      }) as EscalationEntry;
    const over = (resolved_at_ms: number) =>
      ({ scope: scope(`over ${resolved_at_ms}`), state: { state: 'resolved', resolved_at_ms } }) as EscalationEntry;
    const entries = [over(1), pending('low', 1), pending('high', 9), over(2), pending('high', 5), pending('normal', 1)];
    const order = inQueueOrder(entries).map((entry) => (entry.scope as ReturnType<typeof scope>).contact_id);
    expect(order).toEqual(['high 5', 'high 9', 'normal 1', 'low 1', 'over 2', 'over 1']);
  });
});
