import { connect, type NatsConnection } from '@nats-io/transport-node';

import { conflict } from '#contracts/errors.js';
import { TestNats } from '../../test/harness/nats.js';
import { waitFor } from '../../test/harness/wait-for.js';
import { connectBroker } from './connection.js';
import { JsonRpcServer, type JsonRpcServerOptions } from './json-rpc-server.js';

const ECHO = 'nexo/admin/demo/echo';

describe('JSON-RPC under load and at its end', () => {
  let server: TestNats;
  let nc: NatsConnection;
  let client: NatsConnection;
  let rpc: JsonRpcServer;
  let logged: string[];
  /** The ids of the requests whose handler began, and how many handlers are at work. */
  let started: unknown[];
  let running: number;
  let mostRunning: number;
  let gate: Promise<void>;

  beforeAll(async () => {
    server = await TestNats.start();
    client = await connect({ servers: server.url, reconnectTimeWait: 50 });
  });

  beforeEach(async () => {
    [started, running, mostRunning, gate, logged] = [[], 0, 0, Promise.resolve(), []];
    nc = await connectBroker({ servers: server.url, name: 'rpc-spec' });
  });

  afterEach(async () => {
    await rpc.close();
    await nc.close();
  });

  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  test('so many requests run at a time and the others wait their turn', async () => {
    rpc = await serve({ maxInFlight: 4 });
    const open = closeGate();
    const answers = Array.from({ length: 20 }, (_, id) => ask(ECHO, { id, params: { id } }));
    await waitFor(() => started.length === 4);
    expect(await ask('nexo/admin/demo/unknown', { id: 1 })).toMatchObject({ error: { code: -32601 } });
    expect(started).toHaveLength(4);
    open();
    await Promise.all(answers);
    expect(mostRunning).toBe(4);
    expect(started).toEqual(Array.from({ length: 20 }, (_, id) => id));
  });

  test('requests beyond what may wait are answered unavailable', async () => {
    rpc = await serve({ maxInFlight: 1, maxQueuedBytes: 3_000 });
    const open = closeGate();
    const answers = Array.from({ length: 10 }, (_, id) => ask(ECHO, { id }));
    expect(await answers[9]).toMatchObject({ id: 9, error: { code: -32013 } });
    open();
    const codes = (await Promise.all(answers)).map((answer) => (answer as { error?: { code: number } }).error?.code);
    expect(codes).toEqual([undefined, undefined, undefined, ...Array(7).fill(-32013)]);
  });

  test('stopping finishes what is in flight, answers it and takes nothing new', async () => {
    rpc = await serve();
    const open = closeGate();
    const [served, refused] = [ask(ECHO, { id: 1 }), ask('nexo/admin/demo/refuse', { id: 2 })];
    await waitFor(() => running === 1);
    let stopped = false;
    const closed = rpc.close().then(() => (stopped = true));
    await waitFor(() =>
      ask(ECHO, { id: 3 }, 200).then(
        () => false,
        (error: Error) => error.message.includes('no responders'),
      ),
    );
    expect(stopped).toBe(false);
    open();
    await closed;
    expect(await served).toMatchObject({ id: 1, result: {} });
    expect(await refused).toMatchObject({ id: 2, error: { code: -32005 } });
    expect([rpc.serving, nc.isClosed()]).toEqual([false, false]);
  });

  test('a request that never ends does not hold up the stop for longer than the limit', async () => {
    rpc = await serve({ maxInFlight: 1, drainTimeoutMs: 50 });
    const open = closeGate();
    const [endless, waiting] = [ask(ECHO, { id: 1 }), ask(ECHO, { id: 2 })];
    await waitFor(() => running === 1);
    await client.flush();
    await nc.flush();
    await rpc.close();
    expect(await waiting).toMatchObject({ id: 2, error: { code: -32013 } });
    expect(logged).toEqual(['requests were still in flight when the service stopped']);
    open();
    expect(await endless).toMatchObject({ id: 1, result: {} });
  });

  test('after the server was restarted requests are answered again', async () => {
    rpc = await serve();
    await server.restart();
    expect(await waitFor(() => ask(ECHO, { id: 1 }, 200))).toMatchObject({ result: {} });
    expect(rpc.serving).toBe(true);
  });

  async function serve(options: Partial<JsonRpcServerOptions> = {}): Promise<JsonRpcServer> {
    const keep = (_fields: object, message: string) => void logged.push(message);
    const logger = { info: keep, warn: keep, error: keep };
    const server = new JsonRpcServer({ nc, serviceName: 'demo', version: '1.2.3', logger, ...options });
    server.addHandler(ECHO, async (params: { id?: unknown }) => {
      started.push(params.id);
      mostRunning = Math.max(mostRunning, ++running);
      await gate;
      running--;
      return params;
    });
    server.addHandler('nexo/admin/demo/refuse', async () => {
      await gate;
      throw conflict('stale_epoch', 'the epoch is 3');
    });
    await new Promise<void>((resolve, reject) => server.listen((error?: Error) => (error ? reject(error) : resolve())));
    return server;
  }

  async function ask(method: string, members: Record<string, unknown>, timeout = 5_000): Promise<unknown> {
    const payload = JSON.stringify({ jsonrpc: '2.0', method, ...members });
    return (await client.request(method.replaceAll('/', '.'), payload, { timeout })).json();
  }

  /** Handlers wait until the returned function is called. */
  function closeGate(): () => void {
    let open!: () => void;
    gate = new Promise((resolve) => (open = resolve));
    return open;
  }
});
