import type { AgentEscalateResult } from '#contracts/agent-escalate.js';
import { AgentWorker } from '#sdk/agent-worker.js';
import { CapabilityNotGranted, Conflict, NotFound } from '#sdk/errors.js';
import { HumanTakeover } from '#sdk/human-takeover.js';
import { OperatorClient } from '#sdk/operator-client.js';

import { newScope, type TestClient } from '../harness/client.js';
import { Harness } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';
import { age, escalate, escalationOf } from './support/escalations.js';
import { settled } from './support/settled.js';

const HOUR_MS = 3_600_000;
const SECRET = 'card 4111 1111 1111 1111';
const REDACTED = 'card [REDACTED:card]';

describe('an escalation', () => {
  let harness: Harness;
  let client: TestClient;
  let operator: OperatorClient;

  beforeAll(async () => {
    harness = await Harness.create();
    const env = { HOLDLINE_ADMIN_AUTH: 'token' };
    await Promise.all([harness.boot({ env }), harness.boot({ env })]);
    const { token, hash } = await harness.createOperator();
    client = await harness.connect({ token, hash });
    operator = new OperatorClient({ nc: client.nc, token });
  });

  afterAll(() => harness.close());

  const auditOf = (contactId: string) =>
    harness.database.query(
      `SELECT outcome, changed, reason FROM audit_log
       WHERE method = 'nexo/admin/escalations/resolve' AND scope::json ->> 'contact_id' = $1 ORDER BY id`,
      [contactId],
    );
  const eventsOf = async (agentId: string) => {
    await settled(harness, client);
    return (await client.events(agentId)).filter(({ kind }) => String(kind).startsWith('escalation_'));
  };

  it('goes from the agent’s turn to the operator’s inbox, and ends when the operator takes over', async () => {
    const scope = newScope('esc-whole');
    const results: AgentEscalateResult[] = [];
    const worker = new AgentWorker({ nc: client.nc, agentId: 'esc-whole' });
    worker.onTurn(async (turn) => {
      const asked = { summary: `She wrote ${SECRET}`, reason: 'complaint', urgency: 'high' } as const;
      results.push(await turn.escalate({ ...asked, context: { note: SECRET } }));
      results.push(await turn.escalate({ ...asked, summary: 'again' }));
      await turn.done();
    });
    await client.publish(scope, 'I am angry');
    await waitFor(() => results.length === 2);
    expect(results.map(({ changed }) => changed)).toEqual([true, false]);
    await worker.stop();

    const { entries } = await operator.escalations.list({ agent_id: 'esc-whole' });
    const pending = {
      state: 'pending',
      scope,
      summary: `She wrote ${REDACTED}`,
      reason: 'complaint',
      urgency: 'high',
      context: { note: REDACTED },
      requested_at_ms: expect.any(Number),
    };
    expect(entries).toEqual([{ agent_id: 'esc-whole', scope, state: pending }]);
    const inbox = async () => (await operator.conversations.list({ agent_id: 'esc-whole' })).conversations[0];
    const { requested_at_ms } = entries[0]?.state as { requested_at_ms: number };
    expect((await inbox())?.escalation).toEqual({ urgency: 'high', reason: 'complaint', requested_at_ms });

    const takeover = await HumanTakeover.engage(operator, scope);
    expect(await inbox()).not.toHaveProperty('escalation');
    expect(await escalationOf(operator, scope)).toEqual({
      state: 'resolved',
      scope,
      resolved_at_ms: expect.any(Number),
      by: { kind: 'operator_takeover' },
    });
    expect(await escalate(client.nc, scope)).toMatchObject({ changed: false });
    await takeover.release('told her');

    const { context: _, state: __, ...told } = pending;
    expect(await eventsOf('esc-whole')).toEqual([
      { kind: 'escalation_requested', event_id: expect.any(String), agent_id: 'esc-whole', ...told },
      {
        kind: 'escalation_resolved',
        event_id: expect.any(String),
        agent_id: 'esc-whole',
        scope,
        resolved_at_ms: expect.any(Number),
        by: { kind: 'operator_takeover' },
      },
    ]);
    const listed = await operator.agent_events.list({ agent_id: 'esc-whole', kind: 'escalation_requested' });
    expect(listed.events).toMatchObject([{ summary: `She wrote ${REDACTED}` }]);
    expect(await escalate(client.nc, scope)).toMatchObject({ changed: true });
  });

  it('is resolved by an operator, once, with a trace and without a pause', async () => {
    const [dismissed, taken] = [newScope('esc-resolve'), newScope('esc-resolve')];
    for (const scope of [dismissed, taken]) await escalate(client.nc, scope);
    const resolve = { scope: dismissed, by: 'dismissed', dismiss_reason: `she sent ${SECRET}` } as const;
    expect(await operator.escalations.resolve(resolve)).toMatchObject({ changed: true });
    expect(await operator.escalations.resolve(resolve)).toMatchObject({ changed: false });
    expect(await operator.escalations.resolve({ scope: taken, by: 'takeover' })).toMatchObject({ changed: true });
    expect(await escalationOf(operator, dismissed)).toMatchObject({
      by: { kind: 'operator_dismissed', reason: `she sent ${REDACTED}` },
    });
    expect(await escalationOf(operator, taken)).toMatchObject({ by: { kind: 'operator_takeover' } });
    expect((await client.state(taken)).state).toBe('agent_active');
    expect(await auditOf(dismissed.contact_id)).toEqual([
      { outcome: 'ok', changed: true, reason: null },
      { outcome: 'ok', changed: false, reason: null },
    ]);
    const kinds = (await eventsOf('esc-resolve')).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'escalation_resolved')).toHaveLength(2);
  });

  it('that never was cannot be resolved, and the refusal is audited', async () => {
    const scope = newScope('esc-unknown');
    const refused = operator.escalations.resolve({ scope, by: 'dismissed' });
    await expect(refused).rejects.toThrow(NotFound);
    await expect(refused).rejects.toMatchObject({ reason: 'unknown_escalation' });
    expect(await auditOf(scope.contact_id)).toEqual([
      { outcome: 'refused', changed: false, reason: 'unknown_escalation' },
    ]);
  });

  it('is seen and resolved only by operators who may', async () => {
    const { token } = await harness.createOperator(['escalations_read']);
    const reader = new OperatorClient({ nc: client.nc, token });
    const scope = newScope('esc-rights');
    await escalate(client.nc, scope);
    expect((await reader.escalations.list({ agent_id: 'esc-rights' })).entries).toHaveLength(1);
    await expect(reader.escalations.resolve({ scope, by: 'takeover' })).rejects.toThrow(CapabilityNotGranted);
    expect(await escalationOf(operator, scope)).toMatchObject({ state: 'pending' });
  });

  it('is one, and told once, however many ask at the same time', async () => {
    const scope = newScope('esc-race');
    const asked = await Promise.all(Array.from({ length: 20 }, () => escalate(client.nc, scope)));
    expect(asked.filter(({ changed }) => changed)).toHaveLength(1);
    expect(await eventsOf('esc-race')).toHaveLength(1);
    const resolve = { scope, by: 'takeover' } as const;
    const resolved = await Promise.all(Array.from({ length: 10 }, () => operator.escalations.resolve(resolve)));
    expect(resolved.filter(({ changed }) => changed)).toHaveLength(1);
    expect(await eventsOf('esc-race')).toHaveLength(2);
  });

  it('never waits while a person has the conversation, whoever comes first', async () => {
    const scopes = Array.from({ length: 20 }, () => newScope('esc-pause'));
    await Promise.all(scopes.flatMap((scope) => [escalate(client.nc, scope), client.pause(scope)]));
    expect((await operator.escalations.list({ agent_id: 'esc-pause', filter: 'pending' })).entries).toEqual([]);
    const kinds = (await eventsOf('esc-pause')).map(({ kind }) => kind);
    const requested = kinds.filter((kind) => kind === 'escalation_requested').length;
    expect(kinds.filter((kind) => kind === 'escalation_resolved')).toHaveLength(requested);
  });

  it('can be asked for three times an hour, and then again when the database’s clock says so', async () => {
    const scope = newScope('esc-throttle');
    const again = async () => {
      const result = await escalate(client.nc, scope);
      await operator.escalations.resolve({ scope, by: 'dismissed' });
      return result.changed;
    };
    expect([await again(), await again(), await again()]).toEqual([true, true, true]);
    const throttled = await escalate(client.nc, scope).catch((error: unknown) => error);
    expect(throttled).toBeInstanceOf(Conflict);
    expect(throttled).toMatchObject({ reason: 'throttled' });
    const { retryAfterMs = 0 } = throttled as Conflict;
    expect(retryAfterMs > HOUR_MS - 60_000 && retryAfterMs <= HOUR_MS).toBe(true);
    expect(await escalate(client.nc, newScope('esc-throttle'))).toMatchObject({ changed: true });
    await age(harness.database, scope, retryAfterMs);
    expect(await again()).toBe(true);
  });

  it('is listed by state, agent and kind of scope, the longest waiting first, one entry a conversation', async () => {
    const scopes = [newScope('esc-list'), newScope('esc-list'), newScope('esc-list')];
    for (const scope of scopes) await escalate(client.nc, scope);
    const [first, second, third] = scopes as [(typeof scopes)[0], (typeof scopes)[0], (typeof scopes)[0]];
    await age(harness.database, third, 60_000);
    await operator.escalations.resolve({ scope: second, by: 'dismissed' });
    await operator.escalations.resolve({ scope: first, by: 'dismissed' });
    await escalate(client.nc, first);
    const list = async (more: Parameters<OperatorClient['escalations']['list']>[0]) => {
      const { entries } = await operator.escalations.list({ agent_id: 'esc-list', ...more });
      return entries.map(({ scope }) => scope);
    };
    expect(await list({})).toEqual([third, first]);
    expect(await list({ filter: 'pending', limit: 1 })).toEqual([third]);
    expect(await list({ filter: 'resolved' })).toEqual([second]);
    expect(await list({ filter: 'all' })).toEqual([third, first, second]);
    expect(await list({ filter: 'all', scope_kind: 'conversation', limit: 2 })).toEqual([third, first]);
    expect(await list({ filter: 'all', scope_kind: 'agent' })).toEqual([]);
    expect((await operator.escalations.list({ agent_id: 'nobody', filter: 'all' })).entries).toEqual([]);
  });

  it('with a large context leaves a list that can be answered', async () => {
    const scopes = Array.from({ length: 6 }, () => newScope('esc-large'));
    for (const scope of scopes) await escalate(client.nc, scope, { context: 'x'.repeat(200_000) });
    const { entries } = await operator.escalations.list({ agent_id: 'esc-large' });
    expect(entries.map(({ scope }) => scope)).toEqual(scopes.slice(0, 3));
  });
});
