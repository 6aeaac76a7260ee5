import { randomUUID } from 'node:crypto';

import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';

import type { AgentEvent } from '#contracts/agent-event.js';
import { eventSubject, STREAMS } from '#contracts/subjects.js';

import { TestBroker } from '../../test/harness/broker.js';
import { waitFor } from '../../test/harness/wait-for.js';
import { Firehose, type FirehoseOptions } from './firehose.js';

type Kind = 'inbound_quarantined' | 'tool_face_notice';

describe('Firehose', () => {
  let broker: TestBroker;
  let nc: NatsConnection;
  let outside: NatsConnection;
  let jsm: JetStreamManager;
  let ending: AbortController;
  const reading: Promise<void>[] = [];

  beforeAll(async () => {
    broker = await TestBroker.start();
    [nc, outside] = await Promise.all([broker.connect(), broker.connect()]);
    jsm = await jetstreamManager(outside);
  });

  beforeEach(async () => {
    await jsm.streams.purge(STREAMS.events);
    ending = new AbortController();
  });

  afterEach(async () => {
    ending.abort();
    await Promise.all(reading.splice(0));
  });

  afterAll(() => broker.close());

  const publish = async (agent_id: string, subject = 'x', kind: Kind = 'inbound_quarantined') => {
    const fields = { event_id: randomUUID(), agent_id, at_ms: 1 };
    const event =
      kind === 'inbound_quarantined'
        ? { kind, ...fields, subject, reason: 'not_json', stream_seq: 1 }
        : { kind, ...fields, code: 'config.tool_face_invalid', server: 's', tool: subject, detail: 'd' };
    const { seq } = await jetstream(outside).publish(eventSubject(agent_id, kind), JSON.stringify(event));
    return seq;
  };
  const read = (options: Omit<FirehoseOptions<Kind>, 'nc'> = {}) => {
    const got: { seq: number; event: AgentEvent }[] = [];
    const firehose = new Firehose({ nc, signal: ending.signal, ...options });
    reading.push(
      (async () => {
        for await (const each of firehose) got.push(each);
      })(),
    );
    return got;
  };
  const consumers = async () => (await jsm.streams.info(STREAMS.events)).state.consumer_count;

  test('gives events from now on, in order', async () => {
    await publish('ana', 'before');
    const got = read();
    await waitFor(async () => (await consumers()) > 0);
    const seqs = [await publish('ana', 'one'), await publish('bob', 'two')];
    await waitFor(() => got.length === 2);
    expect(got.map(({ seq }) => seq)).toEqual(seqs);
    expect(got.map(({ event }) => event.agent_id)).toEqual(['ana', 'bob']);
  });

  test('goes on behind the event that was handled last', async () => {
    const seqs: number[] = [];
    for (let count = 0; count < 5; count++) seqs.push(await publish('ana'));
    const handled: number[] = [];
    for await (const { seq } of new Firehose({ nc, afterSeq: 0 })) {
      handled.push(seq);
      if (handled.length === 2) break;
    }
    for await (const { seq } of new Firehose({ nc, afterSeq: handled.at(-1) as number })) {
      handled.push(seq);
      if (handled.length === 5) break;
    }
    expect(handled).toEqual(seqs);
  });

  test('gives one agent’s events, or those of some kinds', async () => {
    await publish('ana', 'mine');
    await publish('a.na', 'dotted');
    await publish('bob', 'tool', 'tool_face_notice');
    const [ofAgent, ofKind, ofBoth, dotted] = [
      read({ afterSeq: 0, agentId: 'ana' }),
      read({ afterSeq: 0, kinds: ['tool_face_notice'] }),
      read({ afterSeq: 0, kinds: ['tool_face_notice', 'inbound_quarantined'] }),
      read({ afterSeq: 0, agentId: 'a.na' }),
    ];
    await waitFor(() => ofAgent.length === 1 && ofKind.length === 1 && ofBoth.length === 3 && dotted.length === 1);
    expect(ofAgent[0]?.event).toMatchObject({ subject: 'mine' });
    expect(ofKind[0]?.event).toMatchObject({ kind: 'tool_face_notice' });
  });

  test('passes over what it does not know', async () => {
    await jetstream(outside).publish(
      eventSubject('ana', 'from_the_future'),
      JSON.stringify({ kind: 'from_the_future' }),
    );
    await jetstream(outside).publish(eventSubject('ana', 'broken'), 'not JSON');
    await publish('ana', 'known');
    const got = read({ afterSeq: 0 });
    await waitFor(() => got.length === 1);
    expect(got[0]?.event).toMatchObject({ subject: 'known' });
  });

  test('says where the stream begins when what was asked for is gone', async () => {
    const seqs = [await publish('ana'), await publish('ana'), await publish('ana')];
    await jsm.streams.purge(STREAMS.events, { seq: seqs[2] as number });
    const gaps: number[] = [];
    const got = read({ afterSeq: seqs[0] as number, onGap: (seq) => void gaps.push(seq) });
    await waitFor(() => got.length === 1);
    expect([gaps, got[0]?.seq]).toEqual([[seqs[2]], seqs[2]]);
  });

  test('a place behind the end of the stream is a gap, too: the stream was lost', async () => {
    const seq = await publish('ana');
    const gaps: number[] = [];
    const got = read({ afterSeq: seq + 1_000, onGap: (first) => void gaps.push(first) });
    await waitFor(() => got.length === 1);
    expect(gaps).toEqual([seq]);
  });

  test('loses nothing when the broker restarts, and ends when it is told to', async () => {
    const got = read({ afterSeq: 0 });
    const seqs = [await publish('ana')];
    await waitFor(() => got.length === 1);
    await broker.nats.restart();
    seqs.push(await waitFor(() => publish('ana')));
    await waitFor(() => got.length === 2, { timeoutMs: 20_000 });
    expect(got.map(({ seq }) => seq)).toEqual(seqs);
    ending.abort();
    await Promise.all(reading.splice(0));
  });
});
