import { RpcClient } from './rpc-client.js';
import type { RpcFailure } from './rpc-failure.js';

type Asked = { id: number; method: string; params: Record<string, unknown> };

function clientOf(answer: (asked: Asked | Asked[]) => Response | Promise<Response>) {
  let ended = 0;
  const client = new RpcClient({
    fetch: (async (_url: unknown, init: RequestInit) =>
      answer(JSON.parse(String(init.body)) as Asked)) as unknown as typeof fetch,
    operatorTokenHash: 'abcd',
    onUnauthenticated: () => void (ended += 1),
  });
  return { client, endings: () => ended };
}

const json = (value: unknown) => new Response(JSON.stringify(value));
const reasonOfFailure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    (error: unknown) => (error as RpcFailure).reason,
  );

describe('RpcClient', () => {
  it('names the operator in every command', async () => {
    const { client } = clientOf((asked) => json({ id: (asked as Asked).id, result: (asked as Asked).params }));
    expect(await client.call('nexo/admin/operators/list', {})).toEqual({ operator_token_hash: 'abcd' });
  });

  it('fails with the word of the contract', async () => {
    const error = { code: -32005, message: 'conflict: stale_epoch: …', data: { reason: 'stale_epoch' } };
    const { client } = clientOf(() => json({ id: 1, error }));
    expect(await reasonOfFailure(client.call('nexo/admin/operators/list', {}))).toBe('stale_epoch');
  });

  it.each([
    [401, 'unauthenticated'],
    [413, 'too_large'],
    [429, 'rate_limited'],
    [503, 'unavailable'],
    [404, 'http'],
  ])('has a word for HTTP %i', async (status, reason) => {
    const { client } = clientOf(() => new Response(null, { status }));
    expect(await reasonOfFailure(client.call('nexo/admin/operators/list', {}))).toBe(reason);
  });

  it('says that it is unreachable when there is no connection', async () => {
    const { client } = clientOf(() => Promise.reject(new TypeError('fetch failed')));
    expect(await reasonOfFailure(client.call('nexo/admin/operators/list', {}))).toBe('unreachable');
  });

  it.each([
    ['HTTP', () => new Response(null, { status: 401 })],
    ['the contract', () => json({ id: 1, error: { code: -32001, message: '…', data: { reason: 'unauthenticated' } } })],
  ])('tells by %s that the session is over', async (_, answer) => {
    const { client, endings } = clientOf(answer);
    await reasonOfFailure(client.call('nexo/admin/operators/list', {}));
    expect(endings()).toBe(1);
  });

  it('asks for many in batches of at most 50 and gives the results in order, however they are answered', async () => {
    const sizes: number[] = [];
    const { client } = clientOf((asked) => {
      const list = asked as Asked[];
      sizes.push(list.length);
      return json(list.map(({ id, params }) => ({ id, result: params['agent_id'] })).reverse());
    });
    const params = Array.from({ length: 70 }, (_, index) => ({ agent_id: `agent ${index}`, query: 'x' }));
    const results = await client.callEach('nexo/admin/agent_events/search', params);
    expect(results).toEqual(params.map(({ agent_id }) => agent_id));
    expect(sizes).toEqual([50, 20]);
  });
});
