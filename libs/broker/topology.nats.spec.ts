import { jetstreamManager, type JetStreamManager, StorageType } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

import { STREAMS } from '#contracts/subjects.js';
import { TestNats } from '../../test/harness/nats.js';
import { connectBroker } from './connection.js';
import { StreamPublisher } from './stream-publisher.js';
import { ensureStreams, STREAM_TOPOLOGY, StreamIncompatibleError } from './topology.js';

const SECOND_NS = 1_000_000_000;
const DAY_NS = 86_400 * SECOND_NS;

describe('the streams', () => {
  let server: TestNats;
  let nc: NatsConnection;
  let jsm: JetStreamManager;

  beforeAll(async () => {
    server = await TestNats.start();
    nc = await connectBroker({ servers: server.url, name: 'topology-spec' });
    jsm = await jetstreamManager(nc);
  });

  afterEach(async () => {
    for await (const { config } of jsm.streams.list()) await jsm.streams.delete(config.name);
  });

  afterAll(async () => {
    await nc.close();
    await server.stop();
  });

  test('all four are created with the subjects and limits that the contract names', async () => {
    await ensureStreams(nc, { inboundMaxBytes: 5_000_000 });
    expect((await jsm.streams.info('NEXO_INBOUND')).config).toMatchObject({
      subjects: ['nexo.inbound.>'],
      storage: 'file',
      discard: 'new',
      max_bytes: 5_000_000,
      max_age: 0,
    });
    expect((await jsm.streams.info('NEXO_TURNS')).config).toMatchObject({
      subjects: ['nexo.turns.>'],
      storage: 'file',
      max_age: 7 * DAY_NS,
      duplicate_window: 600 * SECOND_NS,
    });
    expect((await jsm.streams.info('NEXO_AGENT_EVENTS')).config).toMatchObject({
      subjects: ['nexo.agent_events.>', 'nexo.notify.>'],
      storage: 'file',
      duplicate_window: 600 * SECOND_NS,
    });
    expect((await jsm.streams.info('NEXO_QUARANTINE')).config).toMatchObject({
      subjects: ['nexo.quarantine.>'],
      storage: 'file',
      max_age: 7 * DAY_NS,
      duplicate_window: 600 * SECOND_NS,
    });
  });

  test('without options the inbound stream takes a gibibyte and turns are kept for seven days', () => {
    expect(STREAM_TOPOLOGY.map(({ name, max_bytes, max_age }) => ({ name, max_bytes, max_age }))).toEqual([
      { name: 'NEXO_INBOUND', max_bytes: 1_073_741_824, max_age: 0 },
      { name: 'NEXO_TURNS', max_bytes: -1, max_age: 7 * DAY_NS },
      { name: 'NEXO_AGENT_EVENTS', max_bytes: -1, max_age: 7 * DAY_NS },
      { name: 'NEXO_QUARANTINE', max_bytes: -1, max_age: 7 * DAY_NS },
    ]);
  });

  test('a second time nothing changes', async () => {
    const actions = (await ensureStreams(nc)).map(({ action }) => action);
    expect(actions).toEqual(['created', 'created', 'created', 'created']);
    const again = (await ensureStreams(nc)).map(({ action }) => action);
    expect(again).toEqual(['unchanged', 'unchanged', 'unchanged', 'unchanged']);
  });

  test('many processes at once agree', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => ensureStreams(nc)));
    for (const ensured of all) expect(ensured.map(({ name }) => name)).toEqual(Object.values(STREAMS));
    expect((await jsm.streams.names().next()).toSorted()).toEqual(Object.values(STREAMS).toSorted());
  });

  test('processes with different limits end with one of them and no error', async () => {
    const limits = [5_000_000, 6_000_000, 7_000_000, 8_000_000];
    await Promise.all(limits.map((inboundMaxBytes) => ensureStreams(nc, { inboundMaxBytes })));
    expect(limits).toContain((await jsm.streams.info('NEXO_INBOUND')).config.max_bytes);
  });

  test('a stream that differs is updated; its messages and what the operator chose stay', async () => {
    const options = { inboundMaxBytes: 9_000_000 };
    await jsm.streams.add({ name: 'NEXO_INBOUND', subjects: ['nexo.inbound.>'], max_consumers: 17 });
    await publish('nexo.inbound.a.b.c.d', 'kept');
    expect((await ensureStreams(nc, options))[0]).toEqual({ name: 'NEXO_INBOUND', action: 'updated' });
    const { config, state } = await jsm.streams.info('NEXO_INBOUND');
    expect(config).toMatchObject({ discard: 'new', max_bytes: 9_000_000, max_consumers: 17 });
    expect(state.messages).toBe(1);
    expect((await ensureStreams(nc, options))[0]).toMatchObject({ action: 'unchanged' });
  });

  test('a stream in memory is a clear error, not a data loss', async () => {
    await jsm.streams.add({ name: 'NEXO_TURNS', subjects: ['nexo.turns.>'], storage: StorageType.Memory });
    const failure = ensureStreams(nc);
    await expect(failure).rejects.toThrow(StreamIncompatibleError);
    await expect(failure).rejects.toThrow(/NEXO_TURNS.*storage/);
    expect((await jsm.streams.info('NEXO_TURNS')).config.storage).toBe('memory');
  });

  test('a foreign stream on our subjects is a clear error', async () => {
    await jsm.streams.add({ name: 'EVERYTHING', subjects: ['nexo.>'], storage: StorageType.Memory });
    await expect(ensureStreams(nc)).rejects.toThrow(/NEXO_INBOUND.*subjects overlap/);
  });

  test('the partitioning does not change while the stream holds messages', async () => {
    await ensureStreams(nc);
    await publish('nexo.inbound.a.b.c.d', 'unread');
    await expect(ensureStreams(nc, { partitions: 4 })).rejects.toThrow(/1 messages of another partitioning/);
    await jsm.streams.purge('NEXO_INBOUND');
    expect((await ensureStreams(nc, { partitions: 4 }))[0]).toMatchObject({ action: 'updated' });
  });

  test('an inbound that the contract finds too large is stored all the same, to be quarantined with its headers', async () => {
    await ensureStreams(nc);
    const largest = 'x'.repeat(960 * 1_024);
    expect(await publish('nexo.inbound.a.b.c.d', largest)).toMatchObject({ ok: true });
    expect(await publish('nexo.inbound.a.b.c.d', `${largest}x`)).toMatchObject({ reason: 'too_large' });
    const headers = {
      'Holdline-Reason': 'too_large',
      'Holdline-Subject': `nexo.inbound.${'x'.repeat(4_000)}`,
      'Holdline-Seq': '9007199254740991',
    };
    expect(await publish('nexo.quarantine.too_large', largest, headers)).toMatchObject({ ok: true });
  });

  async function publish(subject: string, payload: string, headers: Record<string, string> = {}) {
    const publisher = new StreamPublisher(nc);
    const [outcome] = await publisher.publish([{ subject, payload, headers }], { timeoutMs: 5_000 });
    publisher.close();
    return outcome;
  }
});
