import { JsonRpcRequest, JsonRpcResponse } from './json-rpc.js';

describe('JsonRpcRequest', () => {
  test.each([0, -1, 'a', '', null, 1.5])('keeps the id %j', (id) => {
    expect(JsonRpcRequest.parse({ jsonrpc: '2.0', id, method: 'm' })).toStrictEqual({
      jsonrpc: '2.0',
      id,
      method: 'm',
    });
  });

  test('without an id has no key for it', () => {
    expect(JsonRpcRequest.parse({ jsonrpc: '2.0', method: 'm' })).toStrictEqual({ jsonrpc: '2.0', method: 'm' });
  });

  test('takes params of any shape as they are', () => {
    for (const params of [[1], { a: 1 }, null, 'x']) {
      expect(JsonRpcRequest.parse({ jsonrpc: '2.0', method: 'm', params }).params).toStrictEqual(params);
    }
  });

  test.each([
    { method: 'm' },
    { jsonrpc: '1.0', method: 'm' },
    { jsonrpc: '2.0' },
    { jsonrpc: '2.0', method: 5 },
    { jsonrpc: '2.0', method: 'm', id: {} },
    { jsonrpc: '2.0', method: 'm', id: true },
    [],
    null,
  ])('is not %j', (value) => {
    expect(JsonRpcRequest.safeParse(value).success).toBe(false);
  });
});

describe('JsonRpcResponse', () => {
  test('is a result, null included', () => {
    expect(JsonRpcResponse.parse({ jsonrpc: '2.0', id: 0, result: null })).toStrictEqual({
      jsonrpc: '2.0',
      id: 0,
      result: null,
    });
  });

  test('or an error with whatever data it has', () => {
    const failure = {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32602, message: 'x', data: { reason: 'r', path: 'p' } },
    };
    expect(JsonRpcResponse.parse(failure)).toStrictEqual(failure);
  });

  test('but not neither', () => {
    expect(JsonRpcResponse.safeParse({ jsonrpc: '2.0', id: 1 }).success).toBe(false);
    expect(JsonRpcResponse.safeParse({ jsonrpc: '2.0', result: 1 }).success).toBe(false);
  });
});
