import { createHash, randomUUID } from 'node:crypto';

import { newScope, TestClient } from '../harness/client.js';
import type { BootedConversations } from '../harness/conversations.js';
import { Harness, type TestOperator } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';
import { tableContents } from './support/everything-kept.js';
import { settled } from './support/settled.js';

const PAUSE = 'nexo/admin/processing/pause';
const RESUME = 'nexo/admin/processing/resume';
const INTERNAL = -32603;
const UNAUTHENTICATED = -32001;
const NOT_GRANTED = -32004;

interface AuditRow {
  operator: string;
  method: string;
  scope: string | null;
  agent_id: string | null;
  outcome: string;
  changed: boolean;
  reason: string | null;
  correlation_id: string;
  params_sha256: string;
}

describe('an operator', () => {
  let harness: Harness;
  let running: BootedConversations;
  let ann: TestClient;
  let annAs: TestOperator;

  beforeAll(async () => {
    harness = await Harness.create();
    running = await harness.boot({ env: { HOLDLINE_ADMIN_AUTH: 'token' } });
    annAs = await harness.createOperator();
    ann = await harness.connect(annAs);
  });
  afterAll(() => harness.close());

  const auditOf = async (agentId: string) => {
    const rows = await harness.database.query<AuditRow>(
      `SELECT operator, method, scope, agent_id, outcome, changed, reason, correlation_id, params_sha256
       FROM audit_log WHERE agent_id = $1 ORDER BY id`,
      [agentId],
    );
    return rows.map((row) => ({ ...row, scope: row.scope === null ? null : (JSON.parse(row.scope) as unknown) }));
  };

  /** Calls with any token and hash, over a connection of its own. */
  async function as<Result>(hash: string, token: string | undefined, work: (client: TestClient) => Promise<Result>) {
    const client = await TestClient.connect(harness.nats.url, hash, token);
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  }

  it('without a token, with an unknown one, or with that of another hash is nobody', async () => {
    const scope = newScope();
    const other = await harness.createOperator();
    for (const [hash, token] of [
      [annAs.hash, undefined],
      [annAs.hash, 'made up'],
      [annAs.hash, annAs.hash],
      [annAs.hash, `${annAs.token}x`],
      [annAs.hash, other.token],
      [other.hash, annAs.token],
      ['', annAs.token],
      [annAs.hash.toUpperCase(), annAs.token],
    ] as const) {
      const refused = { error: { code: UNAUTHENTICATED, data: { reason: 'unauthenticated' } } };
      await as(hash, token, (client) => expect(client.pause(scope)).rejects.toMatchObject(refused));
    }
    expect(await ann.state(scope)).toEqual({ state: 'agent_active' });
    expect(await ann.turns(scope)).toEqual([]);
  });

  it('whose token was revoked is nobody from then on', async () => {
    const scope = newScope();
    const leaver = await harness.createOperator();
    const client = await harness.connect(leaver);
    await expect(client.pause(scope)).resolves.toMatchObject({ changed: true });
    await harness.database.query('UPDATE operators SET revoked_at_ms = 1 WHERE token_hash = $1', [leaver.hash]);
    await expect(client.resume(scope)).rejects.toMatchObject({ error: { code: UNAUTHENTICATED } });
    expect(await ann.state(scope)).toMatchObject({ operator_token_hash: leaver.hash });
    await expect(ann.resume(scope)).resolves.toMatchObject({ changed: true });
  });

  it('may do what was granted and nothing else', async () => {
    const scope = newScope();
    const session_id = randomUUID();
    const reader = await harness.connect(await harness.createOperator(['transcripts_read']));
    const keeper = await harness.connect(await harness.createOperator(['operator_intervention']));
    const refused = (capability: string, method: string) => ({
      error: { code: NOT_GRANTED, data: { reason: 'capability_not_granted', capability, method } },
    });
    await expect(reader.pause(scope)).rejects.toMatchObject(refused('operator_intervention', PAUSE));
    await expect(reader.resume(scope)).rejects.toMatchObject(refused('operator_intervention', RESUME));
    expect(await ann.state(scope)).toEqual({ state: 'agent_active' });
    for (const [method, params] of [
      ['nexo/admin/processing/pending', { scope }],
      ['nexo/admin/processing/preview', { scope }],
      ['nexo/admin/agent_events/list', { agent_id: 'ana' }],
      ['nexo/admin/agent_events/read', { agent_id: 'ana', session_id }],
      ['nexo/admin/agent_events/search', { agent_id: 'ana', query: 'x' }],
    ] as const) {
      await expect(keeper.call(method, params)).rejects.toMatchObject(refused('transcripts_read', method));
      await expect(reader.call(method, params)).resolves.toBeDefined();
    }
    for (const client of [reader, keeper]) {
      await expect(client.state(scope)).resolves.toEqual({ state: 'agent_active' });
      await expect(client.call('nexo/admin/conversations/list', {})).resolves.toBeDefined();
    }
    await expect(keeper.pause(scope)).resolves.toMatchObject({ changed: true });
  });

  it('leaves a row of the audit log with every command, a no-op and a refused one too, and no words', async () => {
    const scope = newScope('audited');
    const reader = await harness.createOperator(['transcripts_read']);
    const pauseParams = { operator_token_hash: annAs.hash, scope, reason: 'a private matter' };
    const paused = await ann.call(PAUSE, pauseParams);
    const again = await ann.pause(scope);
    await as(reader.hash, reader.token, (client) => client.pause(scope).catch(() => undefined));
    await as(annAs.hash, reader.token, (client) => client.pause(scope).catch(() => undefined));
    await ann.pause(scope, { auto_resume_after_ms: 1 }).catch(() => undefined);
    await ann.resume(scope, { expected_epoch: 9 }).catch(() => undefined);
    await ann.resume(scope, { summary_for_agent: 'private words' }).catch(() => undefined);
    const resumed = await ann.resume(scope, { session_id: randomUUID(), summary_for_agent: 'private words' });
    const idle = await ann.resume(scope);
    await ann.state(scope);
    await ann.pending(scope);
    await ann.preview(scope);

    const done = { operator: annAs.hash, scope, agent_id: 'audited', outcome: 'ok', reason: null };
    const refused = { ...done, outcome: 'refused', changed: false };
    const rows = await auditOf('audited');
    expect(rows).toEqual(
      [
        { ...done, method: PAUSE, changed: true, correlation_id: paused.correlation_id },
        { ...done, method: PAUSE, changed: false, correlation_id: again.correlation_id },
        { ...refused, method: PAUSE, operator: reader.hash, reason: 'capability_not_granted' },
        { ...refused, method: PAUSE, operator: reader.hash, reason: 'unauthenticated' },
        { ...refused, method: PAUSE, reason: 'invalid_params' },
        { ...refused, method: RESUME, reason: 'stale_epoch' },
        { ...refused, method: RESUME, reason: 'session_id_required_with_summary' },
        { ...done, method: RESUME, changed: true, correlation_id: resumed.correlation_id },
        { ...done, method: RESUME, changed: false, correlation_id: idle.correlation_id },
      ].map((row) => expect.objectContaining(row)),
    );
    expect(rows[0]?.params_sha256).toBe(createHash('sha256').update(JSON.stringify(pauseParams)).digest('hex'));
    expect(new Set(rows.map(({ correlation_id }) => correlation_id)).size).toBe(rows.length);
    expect(JSON.stringify(rows)).not.toContain('private');
  });

  it('who is unknown is counted, and audited at most once a minute', async () => {
    const audited = () => harness.database.query(`SELECT FROM audit_log WHERE operator = 'unknown'`);
    const counted = async () => {
      const figures = await running.metrics.registry.getMetricsAsJSON();
      return figures.find(({ name }) => name === 'holdline_unauthenticated_requests_total')?.values[0]?.value ?? 0;
    };
    const before = await counted();
    for (let count = 0; count < 20; count += 1) {
      await as('0000000000000000', 'stranger', (client) => client.pause(newScope()).catch(() => undefined));
    }
    expect(await audited()).toHaveLength(1);
    expect(await counted()).toBe(before + 20);
  });

  it('whose command cannot be audited is told of a failure, and nothing of the command is kept', async () => {
    const scope = newScope('unaudited');
    await ann.publish(scope, 'hello');
    await settled(harness, ann);
    const kept = await tableContents(harness.database);
    await harness.database.query('ALTER TABLE audit_log RENAME TO audit_log_away');
    try {
      const { error } = (await ann
        .pause(scope)
        .catch((refusal: { error: { data: Record<string, unknown> } }) => refusal)) as {
        error: { data: Record<string, unknown> };
      };
      expect(error).toEqual({
        code: INTERNAL,
        message: expect.stringMatching(/^internal: /),
        data: { reason: 'internal', correlation_id: expect.any(String) },
      });
      const logged = running.logs.filter((line) => line['correlation_id'] === error.data['correlation_id']);
      expect(logged.some(({ level }) => level === 'error')).toBe(true);
    } finally {
      await harness.database.query('ALTER TABLE audit_log_away RENAME TO audit_log');
    }
    expect(await tableContents(harness.database)).toEqual(kept);
    expect(await ann.turns(scope)).toHaveLength(1);
    await waitFor(async () => (await ann.pause(scope)).changed);
  });
});
