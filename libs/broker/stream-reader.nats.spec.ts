import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

import { TestNats } from '../../test/harness/nats.js';
import { connectBroker } from './connection.js';
import { StreamPublisher } from './stream-publisher.js';
import { lastOnSubject, publishedMessageIds, purgeThrough, streamState } from './stream-reader.js';

describe('reading about a stream', () => {
  let server: TestNats;
  let nc: NatsConnection;
  let jsm: JetStreamManager;
  let publisher: StreamPublisher;

  beforeAll(async () => {
    server = await TestNats.start();
    nc = await connectBroker({ servers: server.url, name: 'reader-spec' });
    jsm = await jetstreamManager(nc);
    publisher = new StreamPublisher(nc);
  });

  beforeEach(async () => {
    await jsm.streams.add({ name: 'R', subjects: ['r.>'] });
  });

  afterEach(async () => {
    await jsm.streams.delete('R');
  });

  afterAll(async () => {
    publisher.close();
    await nc.close();
    await server.stop();
  });

  test('the last message of a subject has its sequence and id; an empty subject has none', async () => {
    await publish(['r.a', 'one'], ['r.b', 'two'], ['r.a', 'three'], ['r.c']);
    expect(await lastOnSubject(nc, 'R', 'r.a')).toEqual({ seq: 3, msgId: 'three' });
    expect(await lastOnSubject(nc, 'R', 'r.c')).toEqual({ seq: 4 });
    expect(await lastOnSubject(nc, 'R', 'r.nothing')).toBeUndefined();
  });

  test('the state of a stream tells its age, its ends and how full it is', async () => {
    const { created, config } = await jsm.streams.info('R');
    await jsm.streams.update('R', { ...config, max_bytes: 5_000 });
    const limits = { created, maxBytes: 5_000 };
    expect(await streamState(nc, 'R')).toEqual({ ...limits, firstSeq: 0, lastSeq: 0, bytes: 0 });
    await publish(['r.a'], ['r.b'], ['r.c']);
    const { bytes } = (await jsm.streams.info('R')).state;
    expect(bytes).toBeGreaterThan(0);
    expect(await streamState(nc, 'R')).toEqual({ ...limits, firstSeq: 1, lastSeq: 3, bytes });
    await purgeThrough(nc, 'R', 3);
    expect(await streamState(nc, 'R')).toEqual({ ...limits, firstSeq: 4, lastSeq: 3, bytes: 0 });
  });

  test('purging removes what is at or below the sequence, and only what the filter matches', async () => {
    await publish(['r.a.x'], ['r.b.x'], ['r.a.y'], ['r.a.z']);
    await purgeThrough(nc, 'R', 3, 'r.a.>');
    expect(await sequences()).toEqual([2, 4]);
    await purgeThrough(nc, 'R', 2);
    expect(await sequences()).toEqual([4]);
  });

  test('an unknown stream is an error', async () => {
    await expect(streamState(nc, 'UNKNOWN')).rejects.toThrow('stream not found');
    await expect(lastOnSubject(nc, 'UNKNOWN', 'r.a')).rejects.toThrow('stream not found');
  });

  test('the ids published on a subject since a moment are found, however many there are', async () => {
    await publish(['r.old', 'before']);
    const before = await jsm.streams.getMessage('R', { last_by_subj: 'r.old' });
    const since = Math.floor(before!.time.getTime()) + 1;
    const many = Array.from({ length: 2_500 }, (_, index): [string, string] => [`r.${index % 3}`, `id-${index}`]);
    await waitUntilAfter(since);
    await publish(...many, ['r.0']);
    const expected = many.filter(([subject]) => subject === 'r.0').map(([, id]) => id);
    expect([...(await publishedMessageIds(nc, 'R', 'r.0', since))]).toEqual(expected);
    expect((await publishedMessageIds(nc, 'R', 'r.>', since)).size).toBe(2_500);
    expect((await publishedMessageIds(nc, 'R', 'r.old', since)).size).toBe(0);
    expect([...(await publishedMessageIds(nc, 'R', 'r.old', since - 1))]).toEqual(['before']);
    expect((await jsm.streams.info('R')).state.consumer_count).toBe(0);
  });

  async function publish(...messages: [subject: string, msgId?: string][]): Promise<void> {
    const outcomes = await publisher.publish(
      messages.map(([subject, msgId]) => ({ subject, payload: 'x', ...(msgId && { msgId }) })),
      { timeoutMs: 10_000 },
    );
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
  }

  async function sequences(): Promise<number[]> {
    const { first_seq, last_seq } = (await jsm.streams.info('R')).state;
    const found: number[] = [];
    for (let seq = first_seq; seq <= last_seq; seq++) {
      if (await jsm.streams.getMessage('R', { seq })) found.push(seq);
    }
    return found;
  }
});

async function waitUntilAfter(epochMs: number): Promise<void> {
  while (Date.now() <= epochMs) await new Promise(setImmediate);
}
