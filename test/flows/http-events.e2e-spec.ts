import { randomUUID } from 'node:crypto';

import { jetstream, jetstreamManager } from '@nats-io/jetstream';

import { ensureStreams } from '#broker/topology.js';
import { purgeThrough, streamState } from '#broker/stream-reader.js';
import { AgentEventNotification } from '#contracts/notifications.js';
import { eventSubject, STREAMS } from '#contracts/subjects.js';

import { newScope, type TestClient } from '../harness/client.js';
import type { BootedGateway } from '../harness/gateway.js';
import { Harness } from '../harness/harness.js';
import { type EventStream, HttpClient } from '../harness/http.js';
import { waitFor } from '../harness/wait-for.js';

describe('the firehose over HTTP', () => {
  let harness: Harness;
  let gateway: BootedGateway;
  let client: TestClient;
  let http: HttpClient;
  const open: EventStream[] = [];

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot();
    gateway = await harness.gateway();
    client = await harness.connect();
    http = new HttpClient(gateway.url);
  });
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close();
  });
  afterAll(() => harness.close());

  const events = async (query = '', headers: Record<string, string> = {}, at = http) => {
    const stream = await at.events(query, headers);
    open.push(stream);
    return stream;
  };
  const after = (id: number, query = '', at = http) => events(query, { 'last-event-id': String(id) }, at);
  const lastId = async () => (await streamState(client.nc, STREAMS.events)).lastSeq;

  /** An event that nobody has decided on, as large as is wanted. */
  const tell = async (agent: string, count: number, bytes = 10) => {
    const kind = 'turn_failed';
    const scope = newScope(agent);
    for (let index = 0; index < count; index += 1) {
      const event = { kind, event_id: randomUUID(), agent_id: agent, at_ms: 1, scope, turn_id: randomUUID(), index };
      const payload = JSON.stringify({ ...event, detail: 'x'.repeat(bytes) });
      await jetstream(client.nc).publish(eventSubject(agent, kind), payload);
    }
  };

  it('tells each event as a notification whose id is its sequence, to each client what it asked for', async () => {
    const [all, anas, states, none] = await Promise.all([
      events('?agent_id=&kind='),
      events('?agent_id=a.na'),
      events('?kind=processing_state_changed'),
      events('?agent_id=a.na&kind=turn_failed'),
    ]);
    const [ana, bob] = [newScope('a.na'), newScope('bob')];
    await client.publish(ana, 'two\nlines');
    await client.pause(ana);
    await client.pause(bob);
    const told = await all.notifications(3);
    const kindsOf = (stream: EventStream) => stream.told.map(({ agent_id, kind }) => `${agent_id} ${kind}`);
    expect(kindsOf(all).sort()).toEqual([
      'a.na processing_state_changed',
      'a.na transcript_appended',
      'bob processing_state_changed',
    ]);
    await Promise.all([anas.notifications(2), states.notifications(2)]);
    expect(kindsOf(anas).sort()).toEqual(['a.na processing_state_changed', 'a.na transcript_appended']);
    expect(kindsOf(states)).toEqual(['a.na processing_state_changed', 'bob processing_state_changed']);
    expect(none.told).toEqual([]);

    const stored = await client.stored<Record<string, unknown>>(STREAMS.events, 'nexo.agent_events.>');
    expect(told).toEqual(stored.map(({ body }) => body));
    expect(all.ids).toEqual(stored.map(({ seq }) => seq));
    for (const { data } of all.events) expect(AgentEventNotification.parse(data)).toEqual(data);
  });

  it('reads the stream once, however many clients there are', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => events(`?agent_id=agent-${index}`)));
    await waitFor(async () => (await gateway.figure('holdline_sse_clients')) === 20);
    const jsm = await jetstreamManager(client.nc);
    expect((await jsm.streams.info(STREAMS.events)).state.consumer_count).toBe(1);
    for (const stream of open.splice(0)) stream.close();
    await waitFor(async () => (await gateway.figure('holdline_sse_clients')) === 0);
  });

  it('goes on after the last event that a client has, without a gap and without telling one twice', async () => {
    const before = await lastId();
    await tell('replayed', 700);
    const other = await harness.gateway();
    const telling = tell('replayed', 300);
    const streams = await Promise.all([
      after(before, '?agent_id=replayed'),
      after(before, '?agent_id=replayed', new HttpClient(other.url)),
    ]);
    await telling;
    for (const stream of streams) {
      const told = await stream.notifications(1_000);
      expect(stream.ids).toEqual([...new Set(stream.ids)].sort((one, two) => one - two));
      expect(told).toHaveLength(1_000);
      expect(stream.events.every(({ event }) => event === 'message')).toBe(true);
      stream.close();
    }
    const [middle] = [streams[0]?.ids[499] as number];
    const rest = await after(middle, '', new HttpClient(other.url));
    await rest.notifications(500);
    expect(rest.ids).toEqual(streams[0]?.ids.slice(500));
  });

  it('whose beginning is gone says where it begins now, and goes on from there', async () => {
    await tell('purged', 5);
    const last = await lastId();
    await purgeThrough(client.nc, STREAMS.events, last - 2);
    const [other, ahead] = [await after(1, '?agent_id=purged'), await after(last + 1_000, '?agent_id=purged')];
    for (const stream of [other, ahead]) {
      await stream.notifications(2);
      expect(stream.events[0]).toEqual({ event: 'resync', data: { first_id: last - 1 } });
      expect(stream.ids).toEqual([last - 1, last]);
    }
    const known = await after(last - 2, '?agent_id=purged');
    await known.notifications(2);
    expect(known.events[0]).toMatchObject({ id: last - 1, event: 'message' });
  });

  it('cuts off a client that does not read, and the others do not notice', async () => {
    const [slow, quick] = [await events('?agent_id=flood'), await events('?agent_id=flood')];
    slow.stopReading();
    await tell('flood', 100, 200_000);
    await waitFor(async () => (await gateway.figure('holdline_sse_ended_total', { reason: 'slow' })) === 1);
    expect(await gateway.figure('holdline_sse_clients')).toBe(1);
    await tell('flood', 1);
    expect((await quick.notifications(101)).map(({ index }) => index)).toEqual([...Array(100).keys(), 0]);
    expect(quick.ended).toBe(false);
  });

  it('gives a client that was cut off all that it has missed, as fast as it reads', async () => {
    const before = await lastId();
    await tell('missed', 60, 300_000);
    const again = await after(before, '?agent_id=missed');
    await again.notifications(60, 30_000);
    expect(again.ids).toHaveLength(60);
  });

  it('survives a broker that goes away and comes back', async () => {
    const scope = newScope('survivor');
    const stream = await events('?agent_id=survivor');
    await client.pause(scope);
    await stream.notifications(1);
    await harness.nats.restart();
    await waitFor(() => client.resume(scope).then(() => true), { timeoutMs: 20_000 });
    await tell('survivor', 1);
    const told = await stream.notifications(3, 20_000);
    expect(told.map(({ kind }) => kind).sort()).toEqual([
      'processing_state_changed',
      'processing_state_changed',
      'turn_failed',
    ]);
    expect(stream.ended).toBe(false);
  });

  it.each([
    ['?kind=nonsense', {}, 400],
    [`?agent_id=${'x'.repeat(257)}`, {}, 400],
    ['?agent_id=a&agent_id=b', {}, 400],
    ['', { 'last-event-id': 'yesterday' }, 400],
    ['', { 'last-event-id': '-1' }, 400],
  ])('refuses %s %j with status %d', async (query, headers, status) => {
    await expect(events(query, headers)).rejects.toThrow(`status ${status}`);
  });

  it('tells when the stream was made anew, and goes on with the new one', async () => {
    const stream = await events();
    const jsm = await jetstreamManager(client.nc);
    await jsm.streams.delete(STREAMS.events);
    await ensureStreams(client.nc);
    await tell('anew', 1);
    await waitFor(() => stream.events.some(({ event }) => event === 'resync') && stream.told.length > 0, {
      timeoutMs: 30_000,
    });
    expect(stream.events[0]).toEqual({ event: 'resync', data: { first_id: 1 } });
    expect(stream.ids).toEqual([1]);
  });

  it('ends in order with the gateway', async () => {
    const other = await harness.gateway();
    const stream = await events('', {}, new HttpClient(other.url));
    await other.stop();
    await stream.untilEnded();
  });
});
