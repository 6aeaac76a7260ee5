import { randomUUID } from 'node:crypto';

import type { Capability } from '#contracts/capabilities.js';
import { subjectOfMethod } from '#contracts/methods.js';
import { createDataSource } from '#store/data-source.js';
import { verifyAuditLog } from '#store/verify-audit-log.js';

import { newScope, type TestClient } from '../harness/client.js';
import { Harness, type TestOperator } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';

const PAUSE = 'nexo/admin/processing/pause';
const UNAUTHENTICATED = { error: { code: -32001, data: { reason: 'unauthenticated' } } };

describe('operators and the audit log, with two processes', () => {
  let harness: Harness;
  let root: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    const env = { HOLDLINE_ADMIN_AUTH: 'token' };
    await Promise.all([harness.boot({ env }), harness.boot({ env })]);
    root = await harness.connect(await harness.createOperator());
  });
  afterAll(() => harness.close());

  async function create(capabilities: Capability[]): Promise<TestOperator> {
    const made = await root.call('nexo/admin/operators/create', { name: 'Ana', capabilities });
    return { token: made.token, hash: made.operator.token_hash };
  }
  /** What becomes of so many requests that both processes get some of them. */
  const outcomes = async (client: TestClient) => {
    const found = new Set<string>();
    for (let count = 0; count < 24; count += 1) {
      const refused = (error: { error?: { data: { reason: string } } }) => error.error?.data.reason ?? String(error);
      found.add(await client.state(newScope()).then(() => 'done', refused));
    }
    return [...found];
  };

  it('a token works in every process once it is made, and in none once it is revoked or rotated', async () => {
    const ana = await create(['operator_intervention']);
    const client = await harness.connect(ana);
    expect(await outcomes(client)).toEqual(['done']);

    const rotated = await root.call('nexo/admin/operators/rotate', { token_hash: ana.hash });
    expect(await outcomes(client)).toEqual(['unauthenticated']);
    await expect(client.pause(newScope())).rejects.toMatchObject(UNAUTHENTICATED);

    const renewed = await harness.connect({ token: rotated.token, hash: rotated.operator.token_hash });
    await expect(renewed.pause(newScope())).resolves.toMatchObject({ changed: true });
    const { changed } = await root.call('nexo/admin/operators/revoke', { token_hash: rotated.operator.token_hash });
    expect(changed).toBe(true);
    expect(await outcomes(renewed)).toEqual(['unauthenticated']);
  });

  it('many worthless tokens of one connection are held off, and no operator on that connection is', async () => {
    const ana = await create(['operator_intervention']);
    const client = await harness.connect(ana);
    await outcomes(client);
    client.token = 'worthless';
    for (let round = 0; round < 8; round += 1) await outcomes(client);
    const refusal = client.state(newScope());
    await expect(refusal).rejects.toMatchObject({ error: { data: { retry_after_ms: expect.any(Number) } } });
    const ben = await create([]);
    [client.token, client.operator] = [ben.token, ben.hash];
    await waitFor(async () => (await client.state(newScope())).state === 'agent_active');
    [client.token, client.operator] = [ana.token, ana.hash];
    expect(await outcomes(client)).toEqual(['done']);
    const other = await harness.connect(await create([]));
    await expect(other.state(newScope())).resolves.toEqual({ state: 'agent_active' });
  });

  it('a request that is refused before it is read as a command leaves its row, if the token is valid', async () => {
    const send = (payload: unknown) =>
      root.request(subjectOfMethod(PAUSE), typeof payload === 'string' ? payload : JSON.stringify(payload));
    const id = randomUUID();
    const call = { jsonrpc: '2.0', id, method: PAUSE };
    const answers = [
      await send({ ...call, params: [newScope()] }),
      await send({ ...call, params: 'text' }),
      await send({ ...call, method: 'nexo/admin/processing/resume' }),
      await send([call, call]),
      await send('{'),
    ];
    const reasons = ['invalid_params', 'invalid_params', 'invalid_request', 'invalid_request', 'parse_error'];
    expect(answers.map(({ error }) => error?.data.reason)).toEqual(reasons);
    const { rows } = await root.call('nexo/admin/audit/list', { method: PAUSE, operator: root.operator, limit: 5 });
    expect(rows.map(({ reason }) => reason)).toEqual(reasons.reverse());
    expect(rows.every(({ outcome, changed }) => outcome === 'refused' && !changed)).toBe(true);

    const stranger = await harness.connect({ token: 'x', hash: 'x' });
    const answer = await stranger.request(subjectOfMethod(PAUSE), '{');
    expect(answer.error?.data.reason).toBe('parse_error');
    const refused = await root.call('nexo/admin/audit/list', { method: PAUSE, outcome: 'refused' });
    expect(refused.rows.filter(({ reason }) => reason === 'parse_error')).toEqual(rows.slice(0, 1));
  });

  it('everything that happened here is in one chain, read page by page', async () => {
    const seen: number[] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await root.call('nexo/admin/audit/list', { limit: 3, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.rows.map((row) => row.id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => seen.length - index));
    const dataSource = createDataSource({ url: harness.database.url, poolSize: 1, applicationName: 'test' });
    await dataSource.initialize();
    const verification = await verifyAuditLog(dataSource);
    await dataSource.destroy();
    expect(verification).toMatchObject({ rows: seen.length, findings: [] });
  });
});
