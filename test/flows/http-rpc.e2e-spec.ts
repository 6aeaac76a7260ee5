import { ERROR_CODES } from '#contracts/errors.js';
import { MAX_BATCH } from '#contracts/limits.js';
import { subjectOfMethod } from '#contracts/methods.js';

import { newScope, type TestClient } from '../harness/client.js';
import type { BootedGateway } from '../harness/gateway.js';
import { Harness, type TestOperator } from '../harness/harness.js';
import { HttpClient } from '../harness/http.js';

const STATE = 'nexo/admin/processing/state';
const PAUSE = 'nexo/admin/processing/pause';
const RESUME = 'nexo/admin/processing/resume';
const LIST = 'nexo/admin/conversations/list';

describe('a command over HTTP', () => {
  let harness: Harness;
  let gateway: BootedGateway;
  let ann: TestOperator;
  let nats: TestClient;
  let http: HttpClient;

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot({ env: { HOLDLINE_ADMIN_AUTH: 'token' } });
    gateway = await harness.gateway();
    ann = await harness.createOperator();
    nats = await harness.connect(ann);
    http = as(ann.token);
  });
  afterAll(() => harness.close());

  const as = (token: string) => new HttpClient(gateway.url, { authorization: `Bearer ${token}` });
  const call = (method: string, params: object = {}, more: object = {}) => ({
    jsonrpc: '2.0',
    id: 7,
    method,
    params,
    ...more,
  });
  const command = (method: string, more: object = {}) => call(method, { operator_token_hash: ann.hash, ...more });

  it('is answered with the very bytes that it is answered with over NATS', async () => {
    const scope = newScope('séance "1"');
    for (const id of ['é\u2028', 0, -1.5, null, '']) {
      const requests = [
        call(STATE, { scope }, { id }),
        call(STATE, {}, { id }),
        call(STATE, { scope: { ...scope, kind: 'agent' } }, { id }),
        call('nexo/admin/processing/stop', {}, { id }),
        call(LIST, { limit: 0 }, { id }),
        { id, method: STATE, params: {} },
        call(STATE, [] as object, { id }),
      ];
      for (const request of requests) {
        const payload = JSON.stringify(request);
        const overNats = await nats.nc.request(subjectOfMethod(request.method), payload, {
          headers: nats.authorization(),
          timeout: 5_000,
        });
        const overHttp = await http.rpc(payload);
        expect({ status: overHttp.status, text: overHttp.text }).toEqual({ status: 200, text: overNats.string() });
      }
    }
  });

  it('changes what it would change over NATS, and leaves the same rows in the audit log', async () => {
    const scope = newScope('audited');
    const reader = await harness.createOperator(['transcripts_read']);
    await http.rpc(command(PAUSE, { scope, reason: 'a private matter' }));
    await http.rpc(command(PAUSE, { scope }));
    await as(reader.token).rpc(call(PAUSE, { scope, operator_token_hash: reader.hash }));
    await as(reader.token).rpc(command(PAUSE, { scope }));
    await http.rpc(command(RESUME, { scope, expected_epoch: 9 }));
    expect(await nats.state(scope)).toMatchObject({ state: 'paused_by_operator', reason: 'a private matter' });
    const rows = await harness.database.query(
      `SELECT method, operator, outcome, changed, reason FROM audit_log WHERE agent_id = 'audited' ORDER BY id`,
    );
    const done = { method: PAUSE, operator: ann.hash, outcome: 'ok', changed: true, reason: null };
    const refused = { ...done, outcome: 'refused', changed: false };
    expect(rows).toEqual([
      done,
      { ...done, changed: false },
      { ...refused, operator: reader.hash, reason: 'capability_not_granted' },
      { ...refused, operator: reader.hash, reason: 'unauthenticated' },
      { ...refused, method: RESUME, reason: 'stale_epoch' },
    ]);
  });

  it('without a token has status 401, and with a wrong one the error of the contract', async () => {
    const stranger = new HttpClient(gateway.url);
    const missing = await stranger.rpc(call(LIST));
    expect(missing.status).toBe(401);
    expect(missing.headers.get('www-authenticate')).toBe('Bearer');
    expect(missing.response).toMatchObject({ id: 7, error: { code: ERROR_CODES.unauthenticated } });
    const basic = await stranger.rpc(call(LIST), { authorization: 'Basic YTpi' });
    expect(basic.status).toBe(401);
    const wrong = await as('made-up').rpc(call(LIST));
    expect(wrong.status).toBe(200);
    expect(wrong.response).toMatchObject({ id: 7, error: { code: ERROR_CODES.unauthenticated } });
  });

  it('without an id is carried out and answered with nothing', async () => {
    const scope = newScope();
    const { status, text } = await http.rpc({ ...command(PAUSE, { scope }), id: undefined });
    expect({ status, text }).toEqual({ status: 204, text: '' });
    await nats.turnsOf(scope, 1);
  });

  it('reaches the methods of operators only, and no subject but theirs', async () => {
    const reached = nats.nc.subscribe('nexo.>');
    for (const method of [
      'nexo/agent/reply',
      'nexo/tools/call',
      'nexo/admin/weather/read',
      'nexo/admin',
      '',
      '__proto__',
    ]) {
      const { status, response } = await http.rpc(call(method));
      expect({ status, code: response.error?.code }).toEqual({ status: 200, code: ERROR_CODES.method_not_found });
    }
    for (const method of [
      'nexo/admin/>',
      'nexo/admin/*/pause',
      'a b',
      'nexo/admin/x\r\nPUB y 0',
      'constructor',
      PAUSE + '/',
    ]) {
      expect((await http.call(method, {})).error?.code).toBe(ERROR_CODES.method_not_found);
    }
    await nats.nc.flush();
    expect(reached.getReceived()).toBe(0);
    reached.unsubscribe();
  });

  describe('in a batch', () => {
    it('is carried out in its order, and answered in it without the notifications', async () => {
      const scope = newScope('batched');
      const batch = [
        { ...command(PAUSE, { scope }), id: 'first' },
        { ...command(RESUME, { scope }), id: 2 },
        { ...command(PAUSE, { scope }), id: undefined },
        7,
        { jsonrpc: '2.0', id: 3, method: 'nexo/admin/processing/stop' },
        [],
        { ...call(STATE, { scope }), id: '[{,}]"\\' },
      ];
      const { status, text } = await http.rpc(`\n ${JSON.stringify(batch, null, 2)}\t`);
      expect(status).toBe(200);
      expect(JSON.parse(text)).toMatchObject([
        { id: 'first', result: { changed: true, epoch: 1 } },
        { id: 2, result: { changed: true, epoch: 2 } },
        { id: null, error: { code: ERROR_CODES.invalid_request } },
        { id: 3, error: { code: ERROR_CODES.method_not_found } },
        { id: null, error: { code: ERROR_CODES.invalid_request } },
        { id: '[{,}]"\\', result: { state: expect.any(Object) } },
      ]);
    });

    it('of notifications only is answered with nothing, and one without requests is refused', async () => {
      const scope = newScope();
      const quiet = await http.rpc([{ ...command(PAUSE, { scope }), id: undefined }]);
      expect({ status: quiet.status, text: quiet.text }).toEqual({ status: 204, text: '' });
      await nats.turnsOf(scope, 1);
      for (const batch of ['[]', ' [ ] ']) {
        const { status, response } = await http.rpc(batch);
        expect({ status, id: response.id, code: response.error?.code }).toEqual({
          status: 200,
          id: null,
          code: -32600,
        });
      }
    });

    it(`has at most ${MAX_BATCH} requests`, async () => {
      const batchOf = (count: number) =>
        Array.from({ length: count }, (_, id) => ({ ...call(STATE, { scope: newScope() }), id }));
      const whole = JSON.parse((await http.rpc(batchOf(MAX_BATCH))).text) as { id: number }[];
      expect(whole.map(({ id }) => id)).toEqual(Array.from({ length: MAX_BATCH }, (_, id) => id));
      const { response } = await http.rpc(batchOf(MAX_BATCH + 1));
      expect(response).toMatchObject({ id: null, error: { code: ERROR_CODES.invalid_request } });
    });
  });

  it('leaves its figures', async () => {
    await http.rpc(call(LIST, { limit: 0 }));
    const labels = { method: LIST, code: '-32602' };
    expect(await gateway.figure('holdline_http_rpc_seconds_count', labels)).toBeGreaterThan(0);
  });

  it('is limited by token, and by address for tokens that nobody knows', async () => {
    const limited = await harness.gateway({ env: { HOLDLINE_HTTP_RATE_LIMIT: '10' } });
    const send = async (token: string, body: unknown) => {
      const { status, headers } = await new HttpClient(limited.url, { authorization: `Bearer ${token}` }).rpc(body);
      return { status, retryAfter: headers.get('retry-after') };
    };
    const bob = await harness.createOperator();
    const statuses = async (token: string, count: number) => {
      const sent: number[] = [];
      for (let index = 0; index < count; index += 1) sent.push((await send(token, call(LIST))).status);
      return sent;
    };
    expect(await statuses(ann.token, 11)).toEqual(Array.from({ length: 11 }, () => 200));
    expect(await send(ann.token, call(LIST))).toEqual({ status: 429, retryAfter: '6' });
    expect(await statuses(bob.token, 1)).toEqual([200]);
    expect(
      (
        await send(
          bob.token,
          Array.from({ length: 20 }, () => call(LIST)),
        )
      ).status,
    ).toBe(429);
    const strangers = await Promise.all(Array.from({ length: 20 }, (_, index) => send(`made-up-${index}`, call(LIST))));
    expect(strangers.filter(({ status }) => status === 429).length).toBeGreaterThan(5);
    expect(await limited.figure('holdline_http_rate_limited_total')).toBeGreaterThan(5);
  });
});
