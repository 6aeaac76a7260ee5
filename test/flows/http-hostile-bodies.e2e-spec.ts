import { ERROR_CODES } from '#contracts/errors.js';
import { MAX_REQUEST_BYTES } from '#contracts/limits.js';

import { newScope } from '../harness/client.js';
import { Harness } from '../harness/harness.js';
import { HttpClient } from '../harness/http.js';

const STATE = 'nexo/admin/processing/state';
const LIST = 'nexo/admin/conversations/list';

describe('a command over HTTP with a hostile body', () => {
  let harness: Harness;
  let http: HttpClient;

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot();
    http = new HttpClient((await harness.gateway()).url);
  });
  afterAll(() => harness.close());

  const call = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 7, method, params });
  const sized = (bytes: number) => {
    const request = call(STATE, { scope: newScope(), ignored: '' });
    (request.params as { ignored: string }).ignored = 'x'.repeat(bytes - JSON.stringify(request).length);
    return JSON.stringify(request);
  };

  it('that is too large is refused before it is read', async () => {
    expect((await http.rpc(sized(MAX_REQUEST_BYTES))).status).toBe(200);
    for (const bytes of [MAX_REQUEST_BYTES + 1, 1024 * 1024 + 1, 20 * 1024 * 1024]) {
      const { status, response } = await http.rpc(sized(bytes)).catch(() => ({ status: 413, response: undefined }));
      expect(status).toBe(413);
      if (response !== undefined) expect(response.error?.code).toBe(ERROR_CODES.invalid_request);
    }
    const [large, small] = JSON.parse((await http.rpc(`[${sized(MAX_REQUEST_BYTES + 1)},${sized(300)}]`)).text);
    expect(large).toMatchObject({ id: null, error: { code: ERROR_CODES.invalid_request } });
    expect(small).toMatchObject({ id: 7, result: {} });
  });

  it.each([
    ['no JSON', '{"jsonrpc":', 'parse_error'],
    ['nothing', '', 'parse_error'],
    ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'parse_error'],
    ['no object', '"pause"', 'invalid_request'],
    ['deep nesting', '['.repeat(200_000) + ']'.repeat(200_000), 'invalid_request'],
    [
      'a deep object',
      `{"jsonrpc":"2.0","id":1,"method":"${STATE}","params":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
      'invalid_request',
    ],
    ['an id that is an object', `{"jsonrpc":"2.0","id":{},"method":"${STATE}"}`, 'invalid_request'],
    ['an id beyond 2^53', `{"jsonrpc":"2.0","id":9007199254740993,"method":"${STATE}"}`, 'invalid_request'],
    [
      'an id beyond 2^53 in a batch',
      `[{"jsonrpc":"2.0","id":9007199254740993,"method":"${STATE}"}]`,
      'invalid_request',
    ],
    ['an infinite id in a batch', `[{"jsonrpc":"2.0","id":1e999,"method":"${STATE}"}]`, 'invalid_request'],
  ])('of %s is answered with status 200 and the error of the contract', async (_, body, word) => {
    const { status, text } = await http.rpc(body);
    expect(status).toBe(200);
    const [response] = [JSON.parse(text)].flat();
    expect(response).toMatchObject({
      id: null,
      error: { code: ERROR_CODES[word as 'parse_error'], data: { reason: word } },
    });
  });

  it('with __proto__ in it is passed on as it is, and does nothing here', async () => {
    const scope = newScope();
    const text = JSON.stringify(scope).slice(0, -1);
    const payload = `{"__proto__":{"a":1},"jsonrpc":"2.0","id":7,"method":"${STATE}","params":{"scope":${text},"__proto__":{"b":2}},"constructor":{"prototype":{"c":3}}}}`;
    expect((await http.rpc(payload)).response).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: { state: { state: 'agent_active' } },
    });
    const polluting = `{"__proto__":{"jsonrpc":"2.0","method":"${STATE}"},"id":7}`;
    expect((await http.rpc(polluting)).response).toMatchObject({
      id: 7,
      error: { code: ERROR_CODES.invalid_request },
    });
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['application/json; charset=utf-16', {}],
    ['application/jsonp', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
  ])('of the type %s %j has status 415', async (type, headers) => {
    const { status, response } = await http.rpc(call(LIST), { 'content-type': type, ...headers });
    expect({ status, code: response.error?.code }).toEqual({ status: 415, code: ERROR_CODES.invalid_request });
  });

  it('of the type application/json; charset=UTF-8 is read, and one without a type is not', async () => {
    expect((await http.rpc(call(LIST), { 'content-type': 'application/json; charset=UTF-8' })).status).toBe(200);
    const bytes = new TextEncoder().encode(JSON.stringify(call(LIST)));
    expect((await http.send('POST', '/rpc', bytes)).status).toBe(415);
  });
});
