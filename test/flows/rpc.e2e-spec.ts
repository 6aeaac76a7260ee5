import { randomUUID } from 'node:crypto';

import { ADMIN_METHODS, type AdminMethod, subjectOfMethod } from '#contracts/methods.js';
import { MAX_REQUEST_BYTES } from '#contracts/limits.js';

import { newScope, type RawResponse, type TestClient } from '../harness/client.js';
import { Harness } from '../harness/harness.js';

const STATE = 'nexo/admin/processing/state';
const PAUSE = 'nexo/admin/processing/pause';
const NOT_YET: AdminMethod[] = ['nexo/admin/mcp_servers/list', 'nexo/admin/people/put'];

interface ServiceInfo {
  type: string;
  version: string;
  endpoints: { name: string; subject: string }[];
}

describe('a command over plain NATS', () => {
  let harness: Harness;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot();
    client = await harness.connect();
  });
  afterAll(() => harness.close());

  const send = (method: string, payload: unknown) =>
    client.request(subjectOfMethod(method), typeof payload === 'string' ? payload : JSON.stringify(payload));
  const request = (method: string, params: unknown, more: object = {}) =>
    send(method, { jsonrpc: '2.0', id: 7, method, params, ...more });

  function expectError({ jsonrpc, id, error, ...rest }: RawResponse, code: number, word: string, answersTo: unknown) {
    expect({ jsonrpc, id, rest }).toEqual({ jsonrpc: '2.0', id: answersTo, rest: {} });
    expect(error).toMatchObject({ code, message: expect.stringMatching(`^${word}: `), data: { reason: word } });
  }

  it.each([0, -1, 3.5, 'a string', '', null])('is answered with the id that it had: %j', async (id) => {
    const response = await request(STATE, { scope: newScope() }, { id });
    expect(response).toEqual({ jsonrpc: '2.0', id, result: { state: { state: 'agent_active' } } });
  });

  it('without an id is carried out and not answered', async () => {
    const scope = newScope();
    const answers = client.nc.subscribe(`test.answers.${randomUUID()}`);
    const params = { scope, operator_token_hash: 'ops' };
    const notification = JSON.stringify({ jsonrpc: '2.0', method: PAUSE, params });
    client.nc.publish(subjectOfMethod(PAUSE), notification, { reply: answers.getSubject() });
    await client.turnsOf(scope, 1);
    const unreadable = JSON.stringify({ jsonrpc: '2.0', method: 'nexo/admin/processing/stop', params });
    client.nc.publish('nexo.admin.processing.stop', unreadable, { reply: answers.getSubject() });
    await request(STATE, { scope });
    expect(answers.getReceived()).toBe(0);
    answers.unsubscribe();
  });

  it.each([
    ['no JSON', '{"jsonrpc": "2.0", "id": 7,', -32700, 'parse_error', null],
    ['empty', '', -32700, 'parse_error', null],
    ['a batch', [{ jsonrpc: '2.0', id: 7, method: STATE }], -32600, 'invalid_request', null],
    ['an empty batch', [], -32600, 'invalid_request', null],
    ['no object', '"pause"', -32600, 'invalid_request', null],
    ['of another version', { jsonrpc: '1.0', id: 7, method: STATE }, -32600, 'invalid_request', 7],
    ['without a method', { jsonrpc: '2.0', id: 7 }, -32600, 'invalid_request', 7],
    ['of a method that is not the subject’s', { jsonrpc: '2.0', id: 7, method: PAUSE }, -32600, 'invalid_request', 7],
    ['with an id that is an object', { jsonrpc: '2.0', id: {}, method: STATE }, -32600, 'invalid_request', null],
    ['with params that are a list', { jsonrpc: '2.0', id: 7, method: STATE, params: [1] }, -32602, 'invalid_params', 7],
    ['without params', { jsonrpc: '2.0', id: 7, method: STATE }, -32602, 'invalid_params', 7],
  ])('that is %s is refused', async (_, payload, code, word, id) => {
    expectError(await send(STATE, payload), code, word, id);
  });

  it('of at most 256 KiB is carried out, and a larger one is refused', async () => {
    const sized = (bytes: number) => {
      const whole = { jsonrpc: '2.0', id: 7, method: STATE, params: { scope: newScope(), ignored: '' } };
      whole.params.ignored = 'x'.repeat(bytes - JSON.stringify(whole).length);
      return JSON.stringify(whole);
    };
    expect(await send(STATE, sized(MAX_REQUEST_BYTES))).toMatchObject({ id: 7, result: {} });
    expectError(await send(STATE, sized(MAX_REQUEST_BYTES + 1)), -32600, 'invalid_request', null);
  });

  it('of an unknown verb is refused, and an unknown domain has no responder', async () => {
    expectError(await request('nexo/admin/processing/stop', {}), -32601, 'method_not_found', 7);
    expectError(await request('nexo/admin/agent_events/read/all', {}), -32601, 'method_not_found', 7);
    const domain = client.nc.request('nexo.admin.weather.read', '{}', { timeout: 2_000 });
    await expect(domain).rejects.toThrow(/no responders/i);
  });

  it.each(NOT_YET)('that is still to come says so: %s', async (method) => {
    const action = { kind: 'skip_item', item_id: '1', reason: 'spam' };
    const person = { provider: 'slack', user_id: 'U1', status: 'invited', admin: false };
    const params = { scope: newScope(), operator_token_hash: 'ops', action, ...person };
    expectError(await request(method, params), -32601, 'not_implemented', 7);
  });

  it.each([
    { kind: 'agent_binding', agent_id: 'ana', channel: 'whatsapp', account_id: '1' },
    { kind: 'agent', agent_id: 'ana' },
    { kind: 'event_stream', agent_id: 'ana', subject_pattern: 'orders.>' },
    { kind: 'batch_queue', agent_id: 'ana', queue_name: 'nightly' },
    { kind: 'custom', agent_id: 'ana', scope_kind: 'ticket', scope_id: '1' },
  ])('for a scope of the reserved kind $kind is not implemented', async (scope) => {
    for (const verb of ['pause', 'resume', 'state', 'pending', 'preview']) {
      const params = { scope, operator_token_hash: 'ops' };
      expectError(await request(`nexo/admin/processing/${verb}`, params), -32601, 'not_implemented', 7);
    }
  });

  it.each([
    ['scope.kind', { scope: { ...newScope(), kind: 'planet' } }],
    ['scope.contact_id', { scope: { ...newScope(), contact_id: undefined } }],
    ['scope.contact_id', { scope: { ...newScope(), contact_id: '' } }],
    ['scope.agent_id', { scope: { ...newScope(), agent_id: 'é'.repeat(129) } }],
    ['scope', {}],
    ['operator_token_hash', { scope: newScope(), operator_token_hash: undefined }],
    ['operator_token_hash', { scope: newScope(), operator_token_hash: 7 }],
    ['reason', { scope: newScope(), reason: 7 }],
    ['take_over', { scope: newScope(), take_over: 'yes' }],
    ['auto_resume_after_ms', { scope: newScope(), auto_resume_after_ms: 1_000.5 }],
  ])('names the place of what is wrong with its params: %s', async (path, params) => {
    const response = await request(PAUSE, { operator_token_hash: 'ops', ...params });
    expectError(response, -32602, 'invalid_params', 7);
    expect(response.error?.data).toEqual({ reason: 'invalid_params', path });
  });

  it('takes null for absent, ignores unknown fields, and any operator hash while the broker is trusted', async () => {
    const scope = { ...newScope(), mcp_channel_source: null, colour: 'blue' };
    const optional = { reason: null, auto_resume_after_ms: null, take_over: null, colour: 'blue' };
    const response = await request(PAUSE, { scope, operator_token_hash: 'anybody', ...optional });
    expect(response.result).toEqual({ changed: true, correlation_id: expect.any(String), epoch: 1 });
    const { mcp_channel_source: _, colour: __, ...known } = scope;
    expect(await client.state(known)).toEqual({
      state: 'paused_by_operator',
      scope: known,
      operator_token_hash: 'anybody',
      paused_at_ms: expect.any(Number),
    });
  });

  it('is found by discovery, every one of the contract', async () => {
    const answer = await client.nc.request('$SRV.INFO.holdline-conversations');
    const { type, version, endpoints } = answer.json<ServiceInfo>();
    expect({ type, version }).toEqual({ type: 'io.nats.micro.v1.info_response', version: expect.any(String) });
    const subjects = endpoints.map(({ subject }) => subject);
    expect(subjects).toEqual(expect.arrayContaining(Object.keys(ADMIN_METHODS).map(subjectOfMethod)));
  });
});
