import { connect, headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { of, throwError } from 'rxjs';

import { conflict } from '#contracts/errors.js';
import { TestNats } from '../../test/harness/nats.js';
import { waitFor } from '../../test/harness/wait-for.js';
import { connectBroker } from './connection.js';
import { JsonRpcServer, type JsonRpcServerOptions, type RpcContext } from './json-rpc-server.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ECHO = 'nexo/admin/demo/echo';

describe('JSON-RPC over NATS', () => {
  let server: TestNats;
  let nc: NatsConnection;
  let client: NatsConnection;
  let rpc: JsonRpcServer;
  let calls: { params: unknown; context: RpcContext }[];
  let logged: { fields: Record<string, unknown>; message: string }[];

  beforeAll(async () => {
    server = await TestNats.start();
    client = await connect({ servers: server.url });
  });

  beforeEach(async () => {
    [calls, logged] = [[], []];
    nc = await connectBroker({ servers: server.url, name: 'rpc-spec' });
    rpc = await serve();
  });

  afterEach(async () => {
    await rpc.close();
    await nc.close();
  });

  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  test.each([0, 1.5, 'a', '', null])('a request with the id %j is answered with it', async (id) => {
    const answer = await ask(ECHO, { id, params: { scope: 'ü' } });
    expect(answer).toEqual({ jsonrpc: '2.0', id, result: { params: { scope: 'ü' } } });
  });

  test('the handler learns method, subject, size, token and a new correlation id', async () => {
    const payload = JSON.stringify({ jsonrpc: '2.0', id: 1, method: ECHO });
    const withToken = headers();
    withToken.set('authorization', 'bearer to.ken-1');
    await client.request('nexo.admin.demo.echo', payload, { timeout: 5_000, headers: withToken });
    await ask(ECHO, { id: 2 });
    const [first, second] = calls.map(({ context }) => context);
    expect(first).toEqual({
      method: ECHO,
      subject: 'nexo.admin.demo.echo',
      correlationId: expect.stringMatching(UUID),
      bearerToken: 'to.ken-1',
      source: expect.stringMatching(/^_INBOX\./),
      requestBytes: payload.length,
    });
    expect(Object.keys(second!)).not.toContain('bearerToken');
    expect(second!.correlationId).not.toBe(first!.correlationId);
  });

  test.each(['', 'Basic abc', 'Bearer', 'Bearer a b'])('the header "%s" is no token', async (value) => {
    const given = headers();
    given.set('Authorization', value);
    const payload = JSON.stringify({ jsonrpc: '2.0', id: 1, method: ECHO });
    await client.request('nexo.admin.demo.echo', payload, { timeout: 5_000, headers: given });
    expect(calls[0]!.context.bearerToken).toBeUndefined();
  });

  test('a handler without a result is answered null, an observable with its last value', async () => {
    expect(await ask('nexo/admin/demo/nothing', { id: 1 })).toEqual({ jsonrpc: '2.0', id: 1, result: null });
    expect(await ask('nexo/admin/demo/observable', { id: 1 })).toMatchObject({ result: 'last' });
  });

  test('an error of the contract reaches the caller as it is', async () => {
    const error = {
      code: -32005,
      message: 'conflict: stale_epoch: the epoch is 3',
      data: { epoch: 3, reason: 'stale_epoch' },
    };
    expect(await ask('nexo/admin/demo/refuse', { id: 1 })).toEqual({ jsonrpc: '2.0', id: 1, error });
    expect(await ask('nexo/admin/demo/refuse_later', { id: 2 })).toMatchObject({ id: 2, error: { code: -32005 } });
    expect(logged).toEqual([]);
  });

  test('any other error is internal: told by its correlation id only, and logged', async () => {
    const answer = await ask('nexo/admin/demo/break', { id: 1 });
    expect(answer).toMatchObject({ id: 1, error: { code: -32603, data: { reason: 'internal' } } });
    expect(JSON.stringify(answer)).not.toMatch(/hunter2|\.ts/);
    const { correlation_id } = (answer as { error: { data: { correlation_id: string } } }).error.data;
    expect(correlation_id).toMatch(UUID);
    expect(logged).toEqual([
      {
        fields: expect.objectContaining({ correlation_id, method: 'nexo/admin/demo/break' }),
        message: 'a request failed',
      },
    ]);
    expect(String(logged[0]!.fields['err'])).toContain('hunter2');
  });

  test.each(['huge', 'circular'])('a result that cannot be sent (%s) is internal', async (verb) => {
    expect(await ask(`nexo/admin/demo/${verb}`, { id: 1 })).toMatchObject({ error: { code: -32603 } });
    expect(logged).toHaveLength(1);
  });

  test.each([
    ['not JSON', '{', -32700],
    ['not UTF-8', new Uint8Array([0x7b, 0xff]), -32700],
    ['a batch', '[]', -32600],
    ['the method of another subject', '{"jsonrpc":"2.0","id":1,"method":"nexo/admin/demo/nothing"}', -32600],
    ['an array as params', `{"jsonrpc":"2.0","id":1,"method":"${ECHO}","params":[]}`, -32602],
    ['more than 256 KiB', ' '.repeat(256 * 1_024 + 1), -32600],
    ['a deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, -32600],
  ])('%s is refused before any handler', async (_, payload, code) => {
    const answer = await client.request('nexo.admin.demo.echo', payload, { timeout: 5_000 });
    expect(answer.json()).toMatchObject({ jsonrpc: '2.0', error: { code } });
    expect(calls).toEqual([]);
    expect(await ask(ECHO, { id: 1 })).toMatchObject({ result: {} });
  });

  test('an unknown verb of a known domain is method_not_found, however deep, once', async () => {
    for (const method of ['nexo/admin/demo/unknown', 'nexo/admin/demo/echo/deeper']) {
      expect(await askAll(method, { id: 1 })).toEqual([
        expect.objectContaining({ error: expect.objectContaining({ code: -32601 }) }),
      ]);
    }
    const notJson = await client.request('nexo.admin.demo.unknown', '{', { timeout: 5_000 });
    expect(notJson.json()).toMatchObject({ id: null, error: { code: -32700 } });
  });

  test('a known verb is answered once and by its handler only', async () => {
    expect(await askAll(ECHO, { id: 1 })).toEqual([expect.objectContaining({ result: { params: {} } })]);
  });

  test('an unknown domain has no responder', async () => {
    await expect(ask('nexo/admin/elsewhere/echo', { id: 1 })).rejects.toThrow('no responders');
    await expect(ask('nexo/admin/demo', { id: 1 })).rejects.toThrow('no responders');
  });

  test('without an id a request is carried out and not answered, whether it succeeds or fails', async () => {
    const answers: Msg[] = [];
    const inbox = client.subscribe('answers', { callback: (_error, message) => void answers.push(message) });
    for (const [method, params] of [
      [ECHO, { n: 1 }],
      ['nexo/admin/demo/refuse', {}],
      ['nexo/admin/demo/break', {}],
      ['nexo/admin/demo/unknown', {}],
      [ECHO, [1]],
    ] as const) {
      const payload = JSON.stringify({ jsonrpc: '2.0', method, params });
      client.publish(method.replaceAll('/', '.'), payload, { reply: 'answers' });
    }
    client.publish('nexo.admin.demo.echo', JSON.stringify({ jsonrpc: '2.0', id: 9, method: ECHO, params: { n: 2 } }));
    await waitFor(() => calls.length === 2 && logged.length === 1);
    await nc.flush();
    await client.flush();
    expect(calls.map(({ params }) => params)).toEqual([{ n: 1 }, { n: 2 }]);
    expect(answers).toEqual([]);
    inbox.unsubscribe();
  });

  test('two replicas carry out each request once', async () => {
    const otherNc = await connectBroker({ servers: server.url, name: 'replica' });
    const other = await serve({ nc: otherNc });
    const answers = await Promise.all(Array.from({ length: 50 }, (_, id) => ask(ECHO, { id })));
    expect(answers.map((answer) => (answer as { id: number }).id)).toEqual(Array.from({ length: 50 }, (_, id) => id));
    expect(calls).toHaveLength(50);
    expect(await askAll('nexo/admin/demo/unknown', { id: 1 })).toHaveLength(1);
    await other.close();
    await otherNc.close();
  });

  test('the commands are a NATS micro service with their figures', async () => {
    await ask(ECHO, { id: 1 });
    await ask('nexo/admin/demo/refuse', { id: 1 });
    const info = (await client.request('$SRV.INFO.demo', '', { timeout: 5_000 })).json<{
      endpoints: { name: string; subject: string; queue_group: string }[];
    }>();
    expect(info).toMatchObject({ type: 'io.nats.micro.v1.info_response', name: 'demo', version: '1.2.3' });
    expect(info.endpoints).toContainEqual(
      expect.objectContaining({ name: 'admin_demo_echo', subject: 'nexo.admin.demo.echo', queue_group: 'demo' }),
    );
    expect(info.endpoints).toContainEqual(
      expect.objectContaining({ name: 'admin_demo_unknown', subject: 'nexo.admin.demo.>' }),
    );
    expect((await client.request('$SRV.PING', '', { timeout: 5_000 })).json()).toMatchObject({ name: 'demo' });
    const stats = (await client.request('$SRV.STATS.demo', '', { timeout: 5_000 })).json<{
      endpoints: { name: string; num_requests: number; data: { answered_errors: number } }[];
    }>();
    const figures = new Map(stats.endpoints.map(({ name, num_requests, data }) => [name, [num_requests, data]]));
    expect(figures.get('admin_demo_echo')).toEqual([1, { answered_errors: 0, average_ms: expect.any(Number) }]);
    expect(figures.get('admin_demo_refuse')).toEqual([1, { answered_errors: 1, average_ms: expect.any(Number) }]);
  });

  test('an event handler is refused at the start', async () => {
    const events = new JsonRpcServer({ nc, serviceName: 'events', version: '1.0.0' });
    events.addHandler('nexo/admin/demo/event', async () => undefined, true);
    await expect(listen(events)).rejects.toThrow('nexo/admin/demo/event is an event handler');
  });

  async function serve(options: Partial<JsonRpcServerOptions> = {}): Promise<JsonRpcServer> {
    const keep = (fields: object, message: string) =>
      void logged.push({ fields: fields as Record<string, unknown>, message });
    const started = new JsonRpcServer({
      nc,
      serviceName: 'demo',
      version: '1.2.3',
      logger: { info: keep, warn: keep, error: keep },
      ...options,
    });
    const handlers: Record<string, (params: unknown, context: RpcContext) => unknown> = {
      echo: (params, context) => {
        calls.push({ params, context });
        return { params };
      },
      nothing: () => undefined,
      observable: () => of('first', 'last'),
      refuse: () => {
        throw conflict('stale_epoch', 'the epoch is 3', { epoch: 3 });
      },
      refuse_later: () => throwError(() => conflict('stale_epoch', 'later')),
      break: () => {
        throw new Error('password=hunter2 at line 7');
      },
      huge: () => 'x'.repeat(2_000_000),
      circular: () => {
        const self: { self?: object } = {};
        self.self = self;
        return self;
      },
    };
    for (const [verb, handler] of Object.entries(handlers)) {
      started.addHandler(`nexo/admin/demo/${verb}`, async (params: unknown, context: RpcContext) =>
        handler(params, context),
      );
    }
    await listen(started);
    return started;
  }

  async function ask(method: string, members: Record<string, unknown>): Promise<unknown> {
    const payload = JSON.stringify({ jsonrpc: '2.0', method, ...members });
    return (await client.request(method.replaceAll('/', '.'), payload, { timeout: 5_000 })).json();
  }

  /** Every answer to one request: of all those that are sent before the answer to the next. */
  async function askAll(method: string, members: Record<string, unknown>): Promise<unknown[]> {
    const answers: unknown[] = [];
    const inbox = client.subscribe('all-answers', { callback: (_error, message) => void answers.push(message.json()) });
    const payload = JSON.stringify({ jsonrpc: '2.0', method, ...members });
    client.publish(method.replaceAll('/', '.'), payload, { reply: 'all-answers' });
    await waitFor(() => answers.length > 0);
    await ask(ECHO, { id: 'after' });
    await ask('nexo/admin/demo/unknown', { id: 'after' });
    inbox.unsubscribe();
    return answers;
  }
});

function listen(server: JsonRpcServer): Promise<void> {
  return new Promise((resolve, reject) => server.listen((error?: Error) => (error ? reject(error) : resolve())));
}
