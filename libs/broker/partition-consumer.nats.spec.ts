import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';

import { TestNats } from '../../test/harness/nats.js';
import { waitFor } from '../../test/harness/wait-for.js';
import { connectBroker } from './connection.js';
import { consumePartition, type PartitionConsumerOptions, type StreamRecord } from './partition-consumer.js';
import { StreamPublisher } from './stream-publisher.js';

const NEVER_MS = 60_000;

describe('reading a partition', () => {
  let server: TestNats;
  let observer: NatsConnection;
  let jsm: JetStreamManager;
  let nc: NatsConnection;
  let publisher: StreamPublisher;
  let stopped: AbortController;
  let readers: AsyncGenerator[];

  beforeAll(async () => {
    server = await TestNats.start();
    observer = await connect({ servers: server.url });
    jsm = await jetstreamManager(observer);
    publisher = new StreamPublisher(observer);
  });

  beforeEach(async () => {
    await jsm.streams.add({ name: 'P', subjects: ['p.>'] });
    nc = await connectBroker({ servers: server.url, name: 'consumer-spec' });
    stopped = new AbortController();
    readers = [];
  });

  afterEach(async () => {
    stopped.abort();
    await Promise.allSettled(readers.map((reader) => reader.return(undefined)));
    await nc.close();
    await jsm.streams.delete('P');
  });

  afterAll(async () => {
    publisher.close();
    await observer.close();
    await server.stop();
  });

  test('everything comes once, in order, in batches that keep to the limits', async () => {
    await publish(numbered(3_000));
    const batches = await readUntil(read({ maxMessages: 64, maxBytes: 400 }), 3_000);
    expect(batches.flat().map(({ seq }) => seq)).toEqual(Array.from({ length: 3_000 }, (_, index) => index + 1));
    expect(batches.flat().map(text)).toEqual(numbered(3_000));
    for (const batch of batches) {
      expect(batch.length).toBeLessThanOrEqual(64);
      expect(batch.reduce((sum, { data }) => sum + data.length, 0)).toBeLessThanOrEqual(400);
    }
  });

  test('a record has its subject, message id, bytes and the time at which the server stored it', async () => {
    const before = Date.now();
    const payload = new Uint8Array([0, 255, 128, 10]);
    await publisher.publish(
      [
        { subject: 'p.a.%2E', payload, msgId: 'id 1' },
        { subject: 'p.b', payload: '' },
      ],
      { timeoutMs: 5_000 },
    );
    const [first, second] = (await readUntil(read(), 2)).flat();
    expect(first).toMatchObject({ seq: 1, subject: 'p.a.%2E', msgId: 'id 1' });
    expect([...first!.data]).toEqual([...payload]);
    expect(first!.receivedAtMs).toBeGreaterThanOrEqual(before);
    expect(first!.receivedAtMs).toBeLessThanOrEqual(Date.now());
    expect(Object.keys(second!)).not.toContain('msgId');
    expect(second!.data.length).toBe(0);
  });

  test('reading begins at the given sequence, or behind it where messages are gone', async () => {
    await publish(numbered(10));
    await jsm.streams.deleteMessage('P', 5);
    await jsm.streams.deleteMessage('P', 8);
    const records = (await readUntil(read({ fromSeq: 5 }), 4)).flat();
    expect(records.map(({ seq }) => seq)).toEqual([6, 7, 9, 10]);
  });

  test('a beginning behind the end of the stream waits for that message', async () => {
    await publish(numbered(3));
    const batches = read({ fromSeq: 6 });
    const first = batches.next();
    await consumerOf('P');
    await publish(numbered(4));
    expect((await first).value?.map(({ seq }: StreamRecord) => seq)[0]).toBe(6);
  });

  test('only the subjects of the filter are read', async () => {
    await publish(numbered(6), (index) => (index % 2 === 0 ? 'p.even.x' : 'p.odd.x'));
    const records = (await readUntil(read({ filterSubject: 'p.odd.>' }), 3)).flat();
    expect(records.map(({ seq }) => seq)).toEqual([2, 4, 6]);
  });

  test('a message above the byte limit is a batch of its own', async () => {
    await publish(['a', 'x'.repeat(500_000), 'b']);
    const sizes = (await readUntil(read({ maxBytes: 10 }), 3)).map((batch) => batch.map(({ data }) => data.length));
    expect(sizes).toEqual([[1], [500_000], [1]]);
  });

  test('a lone message does not wait for company longer than it should', async () => {
    const first = read({ maxMessages: 100, maxWaitMs: 50 }).next();
    await consumerOf('P');
    await publish(['alone']);
    expect((await first).value?.map(text)).toEqual(['alone']);
  });

  test('a batch is filled within the waiting time of its first message', async () => {
    const first = read({ maxMessages: 3, maxWaitMs: NEVER_MS }).next();
    await consumerOf('P');
    await publish(['one']);
    await publish(['two']);
    await publish(['three']);
    expect((await first).value?.map(text)).toEqual(['one', 'two', 'three']);
  });

  test('what arrived while the reader was busy is handed over without any wait', async () => {
    const batches = read({ maxMessages: 2, maxWaitMs: NEVER_MS });
    await publish(['one', 'two']);
    await batches.next();
    await publish(['three']);
    const consumer = await consumerOf('P');
    await waitFor(async () => (await jsm.consumers.info('P', consumer)).delivered.stream_seq === 3);
    await nc.flush();
    expect((await batches.next()).value?.map(text)).toEqual(['three']);
  });

  test('a slow reader is sent four batches ahead and no more, and misses nothing', async () => {
    await publish(numbered(1_000));
    const batches = read({ maxMessages: 10 });
    const first = await batches.next();
    await settled();
    const consumer = await consumerOf('P');
    expect((await jsm.consumers.info('P', consumer)).delivered.consumer_seq).toBeLessThanOrEqual(50);
    const rest = (await readUntil(batches, 990)).flat();
    expect([...first.value!, ...rest].map(text)).toEqual(numbered(1_000));
  });

  test('reading ahead is bounded in bytes too', async () => {
    await publish(Array.from({ length: 30 }, () => 'x'.repeat(300_000)));
    const batches = read({ maxMessages: 10_000, maxBytes: 1_000 });
    await batches.next();
    await settled();
    const consumer = await consumerOf('P');
    expect((await jsm.consumers.info('P', consumer)).delivered.consumer_seq).toBeLessThanOrEqual(10);
    expect((await readUntil(batches, 29)).flat()).toHaveLength(29);
  });

  test('abort ends a reader that waits, and leaves no consumer', async () => {
    const first = read().next();
    await consumerOf('P');
    stopped.abort();
    expect(await first).toEqual({ done: true, value: undefined });
    expect(await consumers()).toEqual([]);
  });

  test('abort drops what was not handed over', async () => {
    await publish(numbered(100));
    const batches = read({ maxMessages: 10 });
    await batches.next();
    stopped.abort();
    expect(await batches.next()).toEqual({ done: true, value: undefined });
    expect(await consumers()).toEqual([]);
  });

  test('a reader that breaks out of its loop leaves no consumer', async () => {
    await publish(numbered(10));
    for await (const batch of read()) {
      expect(batch.length).toBeGreaterThan(0);
      break;
    }
    expect(await consumers()).toEqual([]);
  });

  test('an aborted signal reads nothing', async () => {
    await publish(numbered(1));
    stopped.abort();
    expect(await read().next()).toEqual({ done: true, value: undefined });
    expect(await consumers()).toEqual([]);
  });

  test('a stream that does not exist yet is waited for', async () => {
    const warnings: object[] = [];
    const batches = read({ stream: 'LATE', filterSubject: 'late.>', logger: capture(warnings) });
    const first = batches.next();
    await waitFor(() => warnings.length > 0);
    await jsm.streams.add({ name: 'LATE', subjects: ['late.>'] });
    await publish(['there'], () => 'late.a');
    expect((await first).value?.map(text)).toEqual(['there']);
    stopped.abort();
    await batches.next();
    await jsm.streams.delete('LATE');
  });

  test('a closed connection ends the reader with an error', async () => {
    const first = read().next();
    await consumerOf('P');
    await nc.close();
    await expect(first).rejects.toThrow('closed connection');
  });

  function read(options: Partial<PartitionConsumerOptions> = {}): AsyncGenerator<StreamRecord[]> {
    const reader = consumePartition({
      nc,
      stream: 'P',
      filterSubject: 'p.>',
      fromSeq: 1,
      maxMessages: 512,
      maxBytes: 4_000_000,
      maxWaitMs: 5,
      signal: stopped.signal,
      ...options,
    });
    readers.push(reader);
    return reader;
  }

  async function publish(payloads: string[], subject: (index: number) => string = () => 'p.a'): Promise<void> {
    const messages = payloads.map((payload, index) => ({ subject: subject(index), payload }));
    const outcomes = await publisher.publish(messages, { timeoutMs: 20_000 });
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
  }

  async function consumers(): Promise<string[]> {
    return (await jsm.consumers.list('P').next()).map(({ name }) => name);
  }

  function consumerOf(stream: string): Promise<string> {
    return waitFor(async () => (await jsm.consumers.list(stream).next())[0]?.name);
  }

  /** Until the server has answered everything that the reader asked for. */
  async function settled(): Promise<void> {
    const consumer = await consumerOf('P');
    let before = -1;
    await waitFor(async () => {
      await nc.flush();
      const now = (await jsm.consumers.info('P', consumer)).delivered.consumer_seq;
      const same = now === before;
      before = now;
      return same;
    });
  }
});

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index));
}

function text(record: StreamRecord): string {
  return Buffer.from(record.data).toString();
}

function capture(warnings: object[]) {
  return { info: () => {}, error: () => {}, warn: (fields: object) => void warnings.push(fields) };
}

async function readUntil(batches: AsyncGenerator<StreamRecord[]>, count: number): Promise<StreamRecord[][]> {
  const read: StreamRecord[][] = [];
  for (let total = 0; total < count; total += read.at(-1)!.length) {
    const { value, done } = await batches.next();
    if (done) throw new Error(`the reader ended after ${total} messages`);
    read.push(value);
  }
  return read;
}
