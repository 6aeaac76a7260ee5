import { createServer, connect as connectSocket, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

import { TestNats } from '../../test/harness/nats.js';
import { waitFor } from '../../test/harness/wait-for.js';
import { connectBroker } from './connection.js';
import { consumePartition, StreamReplacedError, type StreamRecord } from './partition-consumer.js';
import { StreamPublisher } from './stream-publisher.js';

describe('reading a partition while things break', () => {
  let server: TestNats;
  let observer: NatsConnection;
  let jsm: JetStreamManager;
  let nc: NatsConnection;
  let publisher: StreamPublisher;
  let stopped: AbortController;
  let warnings: { reason?: string }[];
  let reader: AsyncGenerator<StreamRecord[]>;
  let published: number;
  let received: StreamRecord[];

  beforeAll(async () => {
    server = await TestNats.start();
    observer = await connectBroker({ servers: server.url, name: 'observer' });
    jsm = await jetstreamManager(observer, { timeout: 500 });
    publisher = new StreamPublisher(observer);
  });

  beforeEach(async () => {
    await jsm.streams.add({ name: 'P', subjects: ['p.>'] });
    nc = await connectBroker({ servers: server.url, name: 'faults-spec' });
    stopped = new AbortController();
    warnings = [];
    published = 0;
    received = [];
  });

  afterEach(async () => {
    stopped.abort();
    await Promise.allSettled([reader.return(undefined)]);
    await nc.close();
    await jsm.streams.delete('P');
  });

  afterAll(async () => {
    publisher.close();
    await observer.close();
    await server.stop();
  });

  test('a server that is restarted in the middle is read on, nothing lost and nothing twice', async () => {
    await publish(500);
    reader = read({ maxMessages: 20 });
    await receive(100);
    await server.restart();
    await publish(500);
    await receive(1_000);
    expectAllInOrder();
  });

  test('a server that is killed in the middle is read on, nothing lost and nothing twice', async () => {
    await publish(500);
    reader = read({ maxMessages: 20 });
    await receive(100);
    await server.kill();
    await server.restart();
    await publish(500);
    await receive(1_000);
    expectAllInOrder();
  });

  test('a reader that waits when the server is restarted gets what comes afterwards', async () => {
    await publish(3);
    reader = read();
    await receive(3);
    const next = receive(6);
    await server.restart();
    await publish(3);
    await next;
    expectAllInOrder();
  });

  test('a consumer that is deleted underneath is replaced', async () => {
    await publish(300);
    reader = read({ maxMessages: 10 });
    await receive(50);
    await jsm.consumers.delete('P', await consumer());
    await publish(300);
    await receive(600);
    expectAllInOrder();
  });

  test('a consumer that is deleted while the reader waits is replaced', async () => {
    await publish(2);
    reader = read();
    await receive(2);
    const next = receive(4);
    await jsm.consumers.delete('P', await consumer());
    await publish(2);
    await next;
    expectAllInOrder();
  });

  test('a server that goes silent on an open connection is noticed after two heartbeats', async () => {
    await publish(2);
    reader = read({ heartbeatMs: 100 });
    await receive(2);
    const next = receive(4);
    await consumer();
    server.freeze();
    await waitFor(() => warnings.some(({ reason }) => reason === 'two heartbeats were missed'), { timeoutMs: 4_000 });
    server.thaw();
    await publish(2);
    await next;
    expectAllInOrder();
  });

  test('no stall is seen while the reader is the slow one', async () => {
    await publish(100);
    reader = read({ maxMessages: 2, heartbeatMs: 300 });
    await receive(2);
    const deadline = Date.now() + 1_500;
    await waitFor(() => Date.now() > deadline);
    await receive(100);
    expect(warnings).toEqual([]);
    expectAllInOrder();
  });

  test('a delivery that gets lost on the way is fetched again, in its place', async () => {
    const proxy = await startLossyProxy(new URL(server.url), 'number-57');
    await nc.close();
    nc = await connectBroker({ servers: `127.0.0.1:${proxy.port}`, name: 'behind-proxy' });
    reader = read({ maxMessages: 10 });
    const all = receive(200);
    await consumer();
    await publish(200);
    await all;
    expect(proxy.lost()).toBe(1);
    expectAllInOrder();
    await nc.close();
    proxy.close();
  });

  test('a stream that is deleted and made again ends the reader with an error, not with other messages', async () => {
    await publish(5);
    reader = read();
    await receive(5);
    const next = reader.next();
    await jsm.streams.delete('P');
    await jsm.streams.add({ name: 'P', subjects: ['p.>'] });
    await publish(10);
    await expect(next).rejects.toThrow(StreamReplacedError);
  });

  test('abort ends the reader while the server is away', async () => {
    reader = read();
    const next = reader.next();
    await consumer();
    await server.stop();
    await waitFor(() => warnings.length > 0);
    stopped.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    await server.restart();
    await waitFor(() => jsm.getAccountInfo().then(() => true));
  });

  function read({ maxMessages = 100, heartbeatMs = 1_000 } = {}): AsyncGenerator<StreamRecord[]> {
    return consumePartition({
      nc,
      stream: 'P',
      filterSubject: 'p.>',
      fromSeq: 1,
      maxMessages,
      maxBytes: 1_000_000,
      maxWaitMs: 1,
      signal: stopped.signal,
      heartbeatMs,
      logger: { info: () => {}, error: () => {}, warn: (fields) => void warnings.push(fields) },
    });
  }

  /** Publishes the next numbers in one burst, once the server takes them. */
  async function publish(count: number): Promise<void> {
    await waitFor(() => jsm.streams.info('P'));
    const messages = Array.from({ length: count }, (_, index) => ({
      subject: 'p.a',
      payload: `number-${published + index}`,
    }));
    published += count;
    const outcomes = await publisher.publish(messages, { timeoutMs: 20_000 });
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
  }

  async function receive(total: number): Promise<void> {
    while (received.length < total) {
      const { value, done } = await reader.next();
      if (done) throw new Error('the reader ended');
      received.push(...value);
    }
  }

  function expectAllInOrder(): void {
    const texts = received.map(({ data }) => Buffer.from(data).toString());
    expect(texts).toEqual(Array.from({ length: published }, (_, index) => `number-${index}`));
  }

  function consumer(): Promise<string> {
    return waitFor(async () => (await jsm.consumers.list('P').next())[0]?.name);
  }
});

/** Passes bytes between client and server, except for the first delivery of the message with this payload. */
async function startLossyProxy(target: URL, payload: string) {
  let losses = 0;
  const sockets: Socket[] = [];
  const frame = new RegExp(`MSG [^\\r]*\\r\\n${payload}\\r\\n`);
  const proxy: Server = createServer((client) => {
    const upstream = connectSocket(Number(target.port), target.hostname);
    sockets.push(client, upstream);
    client.on('data', (chunk) => upstream.write(chunk));
    upstream.on('data', (chunk) => {
      const bytes = chunk.toString('latin1');
      if (losses > 0 || !frame.test(bytes)) return client.write(chunk);
      losses++;
      return client.write(Buffer.from(bytes.replace(frame, ''), 'latin1'));
    });
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    port: (proxy.address() as AddressInfo).port,
    lost: () => losses,
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
