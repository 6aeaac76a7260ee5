import { jetstreamManager, type JetStreamManager, DiscardPolicy, StorageType } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';

import { TestNats } from '../../test/harness/nats.js';
import { connectBroker } from './connection.js';
import { type StreamMessage, StreamPublisher } from './stream-publisher.js';

const PATIENT = { timeoutMs: 10_000 };

describe('publishing to a stream', () => {
  let server: TestNats;
  let observer: NatsConnection;
  let jsm: JetStreamManager;
  let nc: NatsConnection;
  let publisher: StreamPublisher;

  beforeAll(async () => {
    server = await TestNats.start();
    observer = await connect({ servers: server.url });
    jsm = await jetstreamManager(observer);
    await jsm.streams.add({ name: 'T', subjects: ['t.>'], storage: StorageType.Memory });
  });

  afterAll(async () => {
    await observer.close();
    await server.stop();
  });

  beforeEach(async () => {
    await jsm.streams.purge('T');
    nc = await connectBroker({ servers: server.url, name: 'publisher-spec' });
    publisher = new StreamPublisher(nc);
  });

  afterEach(async () => {
    publisher.close();
    await nc.close();
  });

  test('a burst is stored in the order of the call and each message learns its own sequence', async () => {
    const before = (await jsm.streams.info('T')).state.last_seq;
    const burst = Array.from({ length: 2_000 }, (_, index) => message(`t.${index % 7}`, `body ${index}`));
    const outcomes = await publisher.publish(burst, PATIENT);
    expect(outcomes).toEqual(burst.map((_, index) => ({ ok: true, seq: before + index + 1, duplicate: false })));
    const stored = await jsm.streams.getMessage('T', { seq: before + 1_235 });
    expect([stored?.subject, stored?.string()]).toEqual(['t.2', 'body 1234']);
  });

  test('bursts under way at the same time keep their answers apart', async () => {
    const [first, second] = await Promise.all([
      publisher.publish([message('t.a'), message('nowhere.a'), message('t.a')], PATIENT),
      publisher.publish([message('nowhere.b'), message('t.b')], PATIENT),
    ]);
    expect(first.map((outcome) => outcome.ok)).toEqual([true, false, true]);
    expect(second.map((outcome) => outcome.ok)).toEqual([false, true]);
  });

  test('an empty burst is done at once', async () => {
    expect(await publisher.publish([], PATIENT)).toEqual([]);
  });

  test('the same message id again is acknowledged as a duplicate and stored once', async () => {
    const [first, again] = await publisher.publish(
      [message('t.ids', 'x', { msgId: 'one' }), message('t.ids', 'x', { msgId: 'one' })],
      PATIENT,
    );
    expect(first).toMatchObject({ ok: true, duplicate: false });
    expect(again).toEqual({ ...first, duplicate: true });
    expect((await jsm.streams.info('T')).state.messages).toBe(1);
  });

  test('headers, payload bytes and non-ASCII text arrive as given', async () => {
    const payload = new Uint8Array([0, 255, 13, 10, 0]);
    const [binary, text] = await publisher.publish(
      [
        message('t.raw', payload, { msgId: 'ü1', headers: { 'Holdline-Reason': 'näh', 'Holdline-Seq': '7' } }),
        message('t.raw', 'grüße 👋'),
      ],
      PATIENT,
    );
    if (!binary?.ok || !text?.ok) throw new Error('not stored');
    const stored = await jsm.streams.getMessage('T', { seq: binary.seq });
    expect([...stored!.data]).toEqual([...payload]);
    expect(stored!.header.get('Nats-Msg-Id')).toBe('ü1');
    expect(stored!.header.get('Holdline-Reason')).toBe('näh');
    expect(stored!.header.get('Holdline-Seq')).toBe('7');
    expect((await jsm.streams.getMessage('T', { seq: text.seq }))!.string()).toBe('grüße 👋');
  });

  test('an expected last sequence lets the first writer through and refuses the second', async () => {
    const [empty, conflicting] = await publisher.publish(
      [
        message('t.fence', 'hold', { expectedLastSubjectSequence: 0 }),
        message('t.fence', 'turn', { expectedLastSubjectSequence: 0 }),
      ],
      PATIENT,
    );
    expect(empty).toMatchObject({ ok: true });
    const last = empty!.ok ? empty!.seq : 0;
    expect(conflicting).toMatchObject({ ok: false, reason: 'wrong_last_sequence', lastSequence: last });
    const [next] = await publisher.publish(
      [message('t.fence', 'turn', { expectedLastSubjectSequence: last })],
      PATIENT,
    );
    expect(next).toMatchObject({ ok: true });
  });

  test('a subject of no stream is no_stream, without waiting', async () => {
    const [outcome] = await publisher.publish([message('elsewhere.a')], PATIENT);
    expect(outcome).toMatchObject({ ok: false, reason: 'no_stream' });
  });

  test('a message above the limit of the server or of the stream is too_large and the others go through', async () => {
    await jsm.streams.add({ name: 'SMALL', subjects: ['small.>'], storage: StorageType.Memory, max_msg_size: 100 });
    const limit = nc.info!.max_payload;
    const outcomes = await publisher.publish(
      [
        message('t.big', 'x'.repeat(limit + 1)),
        message('t.big', 'x'.repeat(limit), { msgId: 'the headers are over the limit' }),
        message('small.a', 'x'.repeat(101)),
        message('t.big', 'x'.repeat(limit - 1_000), { msgId: 'fits' }),
      ],
      PATIENT,
    );
    const tooLarge = expect.objectContaining({ ok: false, reason: 'too_large' });
    expect(outcomes).toEqual([tooLarge, tooLarge, tooLarge, expect.objectContaining({ ok: true })]);
  });

  test('a stream that refuses new messages is stream_full, by count and by bytes', async () => {
    const full = { discard: DiscardPolicy.New, storage: StorageType.Memory };
    await jsm.streams.add({ ...full, name: 'COUNT', subjects: ['count.>'], max_msgs: 1 });
    await jsm.streams.add({ ...full, name: 'BYTES', subjects: ['bytes.>'], max_bytes: 1_000 });
    const [stored, refused] = await publisher.publish([message('count.a'), message('count.a')], PATIENT);
    expect([stored, refused]).toMatchObject([{ ok: true }, { ok: false, reason: 'stream_full' }]);
    const body = 'x'.repeat(600);
    const outcomes = await publisher.publish([message('bytes.a', body), message('bytes.a', body)], PATIENT);
    expect(outcomes).toMatchObject([{ ok: true }, { ok: false, reason: 'stream_full' }]);
  });

  test('what cannot be sent is refused alone', async () => {
    const outcomes = await publisher.publish(
      [
        message('t.with space'),
        message('', 'x'),
        message('t.a', 'x', { headers: { 'A\r\nB': 'x' } }),
        message('t.a', 'x', { msgId: 'one\r\nNats-Rollup: all' }),
        message('t.a'),
      ],
      PATIENT,
    );
    const refused = expect.objectContaining({ ok: false, reason: 'refused' });
    expect(outcomes).toEqual([refused, refused, refused, refused, expect.objectContaining({ ok: true })]);
  });

  test('an answer that does not come is a timeout for that message only', async () => {
    const silent = observer.subscribe('silent.>');
    await observer.flush();
    const outcomes = await publisher.publish([message('t.a'), message('silent.a')], { timeoutMs: 200 });
    expect(outcomes).toMatchObject([{ ok: true }, { ok: false, reason: 'timeout' }]);
    silent.unsubscribe();
  });

  test('a broken connection makes what is outstanding disconnected before its timeout', async () => {
    const silent = observer.subscribe('silent.>');
    const arrived = silent[Symbol.asyncIterator]().next();
    await observer.flush();
    const outcome = publisher.publish([message('silent.a')], { timeoutMs: 60_000 });
    await arrived;
    await nc.reconnect();
    expect(await outcome).toMatchObject([{ ok: false, reason: 'disconnected' }]);
    silent.unsubscribe();
  });

  test('close settles what is outstanding and what is asked for later', async () => {
    const silent = observer.subscribe('silent.>');
    await observer.flush();
    const outstanding = publisher.publish([message('silent.a')], { timeoutMs: 60_000 });
    publisher.close();
    expect(await outstanding).toMatchObject([{ ok: false, reason: 'disconnected' }]);
    expect(await publisher.publish([message('t.a')], PATIENT)).toMatchObject([{ reason: 'disconnected' }]);
    silent.unsubscribe();
  });

  test('without a server nothing is written, and after its return publishing works again', async () => {
    const statuses = nc.status()[Symbol.asyncIterator]();
    await server.stop();
    for (let status = await statuses.next(); status.value.type !== 'disconnect';) status = await statuses.next();
    const outcomes = await publisher.publish([message('t.a'), message('t.b')], { timeoutMs: 60_000 });
    expect(outcomes).toMatchObject([{ reason: 'disconnected' }, { reason: 'disconnected' }]);

    await server.restart();
    for (let status = await statuses.next(); status.value.type !== 'reconnect';) status = await statuses.next();
    const managerAgain = await jetstreamManager(nc);
    await managerAgain.streams.add({ name: 'T', subjects: ['t.>'], storage: StorageType.Memory });
    const [stored] = await publisher.publish([message('t.after')], PATIENT);
    expect(stored).toEqual({ ok: true, seq: 1, duplicate: false });
  });
});

function message(
  subject: string,
  payload: string | Uint8Array = 'x',
  more: Omit<StreamMessage, 'subject' | 'payload'> = {},
): StreamMessage {
  return { subject, payload, ...more };
}
