import { randomUUID } from 'node:crypto';

import { OperatorClient } from '#sdk/operator-client.js';

import { newScope, type TestClient } from '../harness/client.js';
import type { BootedConversations } from '../harness/conversations.js';
import { Harness } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';
import { age, escalate } from './support/escalations.js';
import { settled } from './support/settled.js';

const MINUTE_MS = 60_000;

describe('an escalation that nobody takes', () => {
  let harness: Harness;
  let client: TestClient;
  let operator: OperatorClient;
  let conversations: BootedConversations;

  beforeAll(async () => {
    harness = await Harness.create();
    const env = { HOLDLINE_ESCALATION_ALARM_AFTER_MS: String(MINUTE_MS) };
    [conversations] = await Promise.all([harness.boot({ env }), harness.boot({ env }), harness.boot({ env })]);
    client = await harness.connect();
    operator = new OperatorClient({ nc: client.nc, operatorTokenHash: 'ops' });
  });

  afterAll(() => harness.close());

  const alarms = async (agentId: string) => {
    await settled(harness, client);
    return client.events(agentId, 'escalation_overdue');
  };
  const alarmsOf = (agentId: string, count: number) =>
    waitFor(
      async () => {
        const raised = await alarms(agentId);
        return raised.length >= count && raised;
      },
      { what: `${count} alarms` },
    );
  /** An escalation of another agent that is due later than all others, so that the others have been looked at. */
  const sweep = async () => {
    const scope = newScope(`sweep-${randomUUID()}`);
    await escalate(client.nc, scope);
    await age(harness.database, scope, MINUTE_MS);
    await alarmsOf(scope.agent_id, 1);
  };

  it('raises an alarm once each step, by one of several processes, and looking at it changes nothing', async () => {
    const scope = newScope('overdue-steps');
    await escalate(client.nc, scope);
    await sweep();
    expect(await alarms('overdue-steps')).toEqual([]);
    for (const [count, ms] of [
      [1, MINUTE_MS],
      [2, 2 * MINUTE_MS],
      [3, 7 * MINUTE_MS],
    ] as const) {
      await age(harness.database, scope, ms);
      const raised = await alarmsOf('overdue-steps', count);
      const waitedMs = [0, 1, 3, 10].map((step) => step * MINUTE_MS)[count] as number;
      const { waited_ms, ...alarm } = raised.at(-1) as { waited_ms: number };
      expect(waited_ms >= waitedMs && waited_ms < waitedMs + MINUTE_MS).toBe(true);
      expect(alarm).toMatchObject({ kind: 'escalation_overdue', scope, agent_id: 'overdue-steps' });
      await operator.escalations.list({ agent_id: 'overdue-steps' });
    }
    await age(harness.database, scope, 1_000 * MINUTE_MS);
    await sweep();
    expect(await alarms('overdue-steps')).toHaveLength(3);
  });

  it('makes up for steps that nobody was there to raise by one alarm', async () => {
    const scope = newScope('overdue-late');
    await escalate(client.nc, scope);
    await age(harness.database, scope, 5 * MINUTE_MS);
    await alarmsOf('overdue-late', 1);
    await sweep();
    expect(await alarms('overdue-late')).toHaveLength(1);
  });

  it('raises none once an operator has resolved it or taken the conversation', async () => {
    const [resolved, taken] = [newScope('overdue-seen'), newScope('overdue-seen')];
    for (const scope of [resolved, taken]) await escalate(client.nc, scope);
    await operator.escalations.resolve({ scope: resolved, by: 'takeover' });
    await client.pause(taken);
    for (const scope of [resolved, taken]) await age(harness.database, scope, 20 * MINUTE_MS);
    await sweep();
    expect(await alarms('overdue-seen')).toEqual([]);
  });

  it('can be seen in the figures', async () => {
    const figure = async (name: string) => (await conversations.metrics.registry.getSingleMetric(name)?.get())?.values;
    const { entries } = await operator.escalations.list({ filter: 'pending', limit: 1_000 });
    expect(entries.length).toBeGreaterThan(0);
    await waitFor(async () => (await figure('holdline_open_escalations'))?.[0]?.value === entries.length);
    await waitFor(async () => (await figure('holdline_overdue_escalations'))?.[0]?.value === entries.length);
  });
});
