import { nestsDeeperThan } from './json-depth.js';
import { readRequest } from './json-rpc-request.js';

const METHOD = 'nexo/admin/processing/pause';

function read(payload: string | Uint8Array) {
  return readRequest(typeof payload === 'string' ? Buffer.from(payload) : payload, METHOD);
}

function request(members: Record<string, unknown>): string {
  return JSON.stringify({ jsonrpc: '2.0', method: METHOD, ...members });
}

function errorCode(payload: string | Uint8Array): number | undefined {
  const result = read(payload);
  return 'error' in result ? result.error.code : undefined;
}

describe('reading a JSON-RPC request', () => {
  test.each([0, 7, -1, 1.5, '', 'a', '0', null])('an id of %j is kept', (id) => {
    expect(read(request({ id, params: { a: 1 } }))).toEqual({ id, params: { a: 1 } });
  });

  test('without an id there is none to answer to', () => {
    expect(Object.keys(read(request({ params: {} })))).toEqual(['params']);
  });

  test.each([[{}], [true], [[1]]])('an id of %j is refused', (id) => {
    expect(read(request({ id }))).toMatchObject({ id: null, error: { code: -32600 } });
  });

  test.each(['9007199254740993', '1e400', '-1e400'])('the id %s, which no double holds, is refused', (id) => {
    const text = `{"jsonrpc":"2.0","method":"${METHOD}","id":${id}}`;
    expect(read(text)).toMatchObject({ id: null, error: { code: -32600, message: expect.stringContaining('id') } });
  });

  test.each([undefined, null])('params of %j are read as an empty object', (params) => {
    expect(read(request({ id: 1, params }))).toEqual({ id: 1, params: {} });
  });

  test.each([[[1]], [[]], ['x'], [7], [false]])('params of %j are invalid_params', (params) => {
    expect(read(request({ id: 1, params }))).toMatchObject({
      id: 1,
      error: { code: -32602, reason: 'invalid_params', data: { path: 'params' } },
    });
  });

  test.each([
    ['nothing', ''],
    ['half an object', '{"jsonrpc":"2.0"'],
    ['two objects', '{}{}'],
    ['words', 'hello'],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0x22])],
    ['a string cut within a character', Buffer.from('"ü"').subarray(0, 2)],
  ])('%s is parse_error', (_, payload) => {
    expect(read(payload)).toMatchObject({ id: null, error: { code: -32700, reason: 'parse_error' } });
  });

  test.each([
    ['a batch', `[${request({ id: 1 })}]`],
    ['an empty batch', '[]'],
    ['a string', '"x"'],
    ['null', 'null'],
    ['a number', '1'],
  ])('%s is invalid_request', (_, payload) => {
    expect(read(payload)).toMatchObject({ id: null, error: { code: -32600, reason: 'invalid_request' } });
  });

  test.each(['1.0', 2, null, undefined])('jsonrpc %j is invalid_request, with the id that was given', (jsonrpc) => {
    expect(read(request({ jsonrpc, id: 'a' }))).toMatchObject({ id: 'a', error: { code: -32600 } });
  });

  test.each([7, null, undefined, ['x']])('method %j is invalid_request', (method) => {
    expect(read(request({ method, id: 3 }))).toMatchObject({ id: 3, error: { code: -32600 } });
  });

  test('a method other than that of the subject is invalid_request, and not answered without an id', () => {
    expect(read(request({ method: 'nexo/admin/processing/resume', id: 0 }))).toMatchObject({
      id: 0,
      error: { code: -32600 },
    });
    expect(Object.keys(read(request({ method: 'other' })))).toEqual(['error']);
  });

  test('unknown members are ignored', () => {
    expect(read(request({ id: 1, extra: true, params: {} }))).toEqual({ id: 1, params: {} });
  });

  test('a request is read up to 256 KiB and refused with one byte more', () => {
    const frame = request({ id: 1, params: { pad: '' } }).length;
    const largest = request({ id: 1, params: { pad: 'x'.repeat(256 * 1_024 - frame) } });
    expect(largest.length).toBe(262_144);
    expect(errorCode(largest)).toBeUndefined();
    expect(read(`${largest} `)).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringContaining('262144') },
    });
  });

  test('members named __proto__ and constructor stay data', () => {
    const text = `{"jsonrpc":"2.0","method":"${METHOD}","id":1,"__proto__":{"polluted":true,"id":2},"params":{"__proto__":{"polluted":true}}}`;
    const result = read(text);
    expect(result.id).toBe(1);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect((result as { params: { polluted?: boolean } }).params.polluted).toBeUndefined();
    expect(errorCode(`{"__proto__":{"jsonrpc":"2.0","method":"${METHOD}"},"id":1}`)).toBe(-32600);
  });

  test.each([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
  ])('params nested in a tower of %s … %s are refused and do not overflow the stack', (opening, closing) => {
    const levels = Math.floor(200_000 / (opening.length + closing.length));
    const tower = `${opening.repeat(levels)}1${closing.repeat(levels)}`;
    const text = `{"jsonrpc":"2.0","method":"${METHOD}","id":1,"params":{"x":${tower}}}`;
    expect(read(text)).toMatchObject({ error: { code: -32600, message: expect.stringContaining('128 levels') } });
    expect(errorCode(text.slice(0, -1))).toBe(-32700);
  });

  test('128 levels are taken and one more is not', () => {
    const nested = (levels: number) =>
      `{"jsonrpc":"2.0","method":"${METHOD}","params":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
    expect(errorCode(nested(127))).toBeUndefined();
    expect(errorCode(nested(128))).toBe(-32600);
  });
});

describe('the depth of JSON', () => {
  test.each([
    ['{}', 1],
    ['{"a":[1,{"b":2}]}', 3],
    ['[[],[],[[]]]', 3],
    ['"[[[["', 0],
    ['{"\\"[[[":"\\\\"}', 1],
  ])('%s nests %d deep', (json, depth) => {
    expect(nestsDeeperThan(Buffer.from(json), depth)).toBe(false);
    if (depth > 0) expect(nestsDeeperThan(Buffer.from(json), depth - 1)).toBe(true);
  });
});
