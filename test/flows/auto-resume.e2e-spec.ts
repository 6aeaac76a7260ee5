import { randomUUID } from 'node:crypto';

import { newScope, type TestClient } from '../harness/client.js';
import { Harness } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';
import { HeldRow } from './support/held-row.js';
import { settled } from './support/settled.js';

const SHORTEST_MS = 1_000;
const LONGEST_MS = 7 * 24 * 3_600_000;
const AT_ONCE = 20;
/** Leaves time for a message to be buffered on a busy machine. */
const LONGER_MS = 2_500;

interface AuditRow {
  operator: string;
  outcome: string;
  changed: boolean;
  reason: string | null;
}

describe('a pause that ends by itself', () => {
  let harness: Harness;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    await Promise.all([harness.boot(), harness.boot()]);
    client = await harness.connect();
  });
  afterAll(() => harness.close());

  const resumesOf = (agentId: string) =>
    harness.database.query<AuditRow>(
      `SELECT operator, outcome, changed, reason FROM audit_log
       WHERE agent_id = $1 AND method = 'nexo/admin/processing/resume' ORDER BY id`,
      [agentId],
    );
  const isActive = (scope: Parameters<TestClient['state']>[0]) => async () =>
    (await client.state(scope)).state === 'agent_active';

  it('is resumed once by system, not before its time, whichever of two processes notices', async () => {
    const scopes = Array.from({ length: AT_ONCE }, () => newScope('timed'));
    for (const scope of scopes) {
      await client.pause(scope, { auto_resume_after_ms: LONGER_MS });
      await client.publish(scope, 'waiting');
    }
    for (const scope of scopes) await waitFor(isActive(scope));
    await settled(harness, client);

    const bySystem = { operator: 'system', outcome: 'ok', changed: true, reason: 'auto_resume' };
    expect(await resumesOf('timed')).toEqual(Array.from({ length: AT_ONCE }, () => bySystem));
    const changes = await client.events('timed', 'processing_state_changed');
    for (const scope of scopes) {
      const [paused, resumed, ...others] = changes.filter(
        (event) => (event['scope'] as typeof scope).contact_id === scope.contact_id,
      );
      expect(others).toEqual([]);
      expect(resumed).toMatchObject({ by: 'system', epoch: 2, new_state: { state: 'agent_active' } });
      expect(Number(resumed?.['at_ms']) - Number(paused?.['at_ms'])).toBeGreaterThanOrEqual(LONGER_MS);
      const messages = await client.turns(scope);
      expect(messages).toMatchObject([
        { kind: 'hold' },
        { kind: 'turn', cause: 'resume', inbounds: [{ body: 'waiting' }] },
      ]);
    }
  });

  it('shows when, and is not resumed again after somebody has resumed it', async () => {
    const scope = newScope('early');
    const after = SHORTEST_MS + 200;
    await client.pause(scope, { auto_resume_after_ms: after });
    const held = await client.state(scope);
    expect(held).toMatchObject({ state: 'paused_by_operator' });
    const { paused_at_ms, auto_resume_at_ms } = held as { paused_at_ms: number; auto_resume_at_ms: number };
    expect(auto_resume_at_ms - paused_at_ms).toBe(after);
    await client.resume(scope);
    await client.pause(scope);
    expect(await client.state(scope)).not.toHaveProperty('auto_resume_at_ms');

    const witness = newScope('early-witness');
    await client.pause(witness, { auto_resume_after_ms: after });
    await waitFor(isActive(witness));
    expect(await client.state(scope)).toMatchObject({ state: 'paused_by_operator' });
    expect(await resumesOf('early')).toMatchObject([{ operator: 'ops' }]);
  });

  it('stays when it was resumed and paused anew while the two processes were about to end it', async () => {
    const scope = newScope('about-to');
    await client.pause(scope, { auto_resume_after_ms: LONGER_MS });
    const row = await HeldRow.of(harness.database, scope);
    const resumed = client.resume(scope);
    await row.untilWaitedFor(1);
    const paused = client.pause(scope);
    await row.untilWaitedFor(2);
    await row.untilWaitedFor(4);
    await row.release();
    await resumed;
    await expect(paused).resolves.toMatchObject({ changed: true, epoch: 3 });
    await expect(client.pause(scope)).resolves.toMatchObject({ changed: false, epoch: 3 });
  });

  it('keeps its time when it is paused again, and gets another one when the hold is taken over with one', async () => {
    const scope = newScope('moved');
    const other = await harness.connect('other');
    await client.pause(scope, { auto_resume_after_ms: 600_000 });
    await client.pause(scope, { auto_resume_after_ms: SHORTEST_MS });
    await other.pause(scope, { take_over: true });
    const { auto_resume_at_ms } = (await client.state(scope)) as { auto_resume_at_ms: number };
    expect(auto_resume_at_ms - Date.now()).toBeGreaterThan(500_000);
    await client.pause(scope, { take_over: true, auto_resume_after_ms: SHORTEST_MS });
    await waitFor(isActive(scope));
    expect(await resumesOf('moved')).toMatchObject([{ operator: 'system' }]);
  });

  it('goes to the session of the conversation, with what was said', async () => {
    const scope = newScope('session');
    const session_id = randomUUID();
    await client.publish(scope, 'before', { session_id });
    await settled(harness, client);
    await client.pause(scope, { auto_resume_after_ms: SHORTEST_MS });
    await client.publish(scope, 'during');
    await waitFor(isActive(scope));
    await settled(harness, client);
    expect((await client.transcript('session', session_id)).map(({ body }) => body)).toEqual(['before', 'during']);
  });

  it('is from one second to seven days away', async () => {
    for (const auto_resume_after_ms of [-1, 0, SHORTEST_MS - 1, LONGEST_MS + 1, 1e15]) {
      const scope = newScope('bounds');
      await expect(client.pause(scope, { auto_resume_after_ms })).rejects.toMatchObject({
        error: { code: -32602, data: { reason: 'invalid_params', path: 'auto_resume_after_ms' } },
      });
      expect(await client.state(scope)).toEqual({ state: 'agent_active' });
    }
    for (const auto_resume_after_ms of [SHORTEST_MS, LONGEST_MS]) {
      await expect(client.pause(newScope('bounds'), { auto_resume_after_ms })).resolves.toMatchObject({
        changed: true,
      });
    }
  });
});
