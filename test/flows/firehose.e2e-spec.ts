import { randomUUID } from 'node:crypto';

import { AgentEvent, type TranscriptAppendedEvent } from '#contracts/agent-event.js';
import { eventSubject, NOTIFY_STATE_CHANGED_SUBJECT, STREAMS } from '#contracts/subjects.js';

import { newScope, type TestClient } from '../harness/client.js';
import { Harness } from '../harness/harness.js';
import { settled } from './support/settled.js';

const STATE_CHANGED = 'processing_state_changed';

describe('the firehose', () => {
  let harness: Harness;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    await Promise.all([harness.boot(), harness.boot()]);
    client = await harness.connect();
  });
  afterAll(() => harness.close());

  const ofAgent = async (agentId: string) => {
    await settled(harness, client);
    const stored = await client.stored<AgentEvent>(STREAMS.events, `nexo.agent_events.${agentId}.*`);
    return stored.filter(({ body }) => body.agent_id === agentId);
  };
  const notificationsOf = async (agentId: string) =>
    (await client.notifications()).filter(({ body }) => body.params['agent_id'] === agentId);
  const listed = (agentId: string, more: object = {}) =>
    client.call('nexo/admin/agent_events/list', { agent_id: agentId, ...more });

  it('tells every transition once, in order, as an event and as a notification, and no-ops not at all', async () => {
    const scope = newScope('teller');
    const other = await harness.connect('other');
    await client.resume(scope);
    await client.pause(scope, { reason: 'first' });
    await client.pause(scope);
    await other.pause(scope);
    await other.pause(scope, { take_over: true });
    await client.resume(scope, { expected_epoch: 7 }).catch(() => undefined);
    await client.resume(scope);
    await client.resume(scope);
    await client.pause(scope);
    await client.resume(scope, { session_id: randomUUID(), summary_for_agent: 'done' });

    const events = (await ofAgent('teller')).filter(({ body }) => body.kind === STATE_CHANGED);
    const held = (by: string, more: object = {}) => ({
      state: 'paused_by_operator',
      scope,
      operator_token_hash: by,
      ...more,
    });
    const active = { state: 'agent_active' };
    expect(events.map(({ body }) => body)).toMatchObject([
      { prev_state: active, new_state: held('ops', { reason: 'first' }), epoch: 1, by: 'ops' },
      {
        prev_state: held('ops', { reason: 'first' }),
        new_state: held('other', { reason: 'first' }),
        epoch: 1,
        by: 'other',
      },
      { prev_state: held('other', { reason: 'first' }), new_state: active, epoch: 2, by: 'ops' },
      { prev_state: active, new_state: held('ops'), epoch: 3, by: 'ops' },
      { prev_state: held('ops'), new_state: active, epoch: 4, by: 'ops' },
    ]);
    for (const { body, msgId, subject } of events) {
      expect(msgId).toBe((body as { event_id: string }).event_id);
      expect(subject).toBe(eventSubject('teller', STATE_CHANGED));
      expect(AgentEvent.parse(body)).toEqual(body);
    }

    const notifications = await notificationsOf('teller');
    expect(notifications.map(({ body }) => body)).toEqual(
      events.map(({ body }) => ({ jsonrpc: '2.0', method: 'nexo/notify/processing_state_changed', params: body })),
    );
    for (const { body, msgId, subject } of notifications) {
      expect(msgId).toBe(`notify:${String(body.params['event_id'])}`);
      expect(subject).toBe(NOTIFY_STATE_CHANGED_SUBJECT);
    }
  });

  it('tells every line of a transcript once, in order, with the place that it has there', async () => {
    const scope = newScope('lines');
    const session_id = randomUUID();
    const message_id = randomUUID();
    for (const body of ['one', 'two']) await client.publish(scope, body, { session_id });
    await settled(harness, client);
    await client.pause(scope);
    await client.publish(scope, 'three', { message_id, timestamp_ms: 1_234 });
    await client.publish(scope, 'three', { message_id });
    await settled(harness, client);
    await client.resume(scope, { session_id, summary_for_agent: 'done' });
    await client.publish(scope, 'four');

    const events = (await ofAgent('lines')).filter(({ body }) => body.kind === 'transcript_appended');
    const told = events.map(({ body }) => body as TranscriptAppendedEvent);
    expect(told.map(({ seq, role, body }) => `${seq} ${role} ${body}`)).toEqual([
      '0 user one',
      '1 user two',
      '2 user three',
      '3 system [operator_summary] done',
      '4 user four',
    ]);
    expect(told[2]).toEqual({
      kind: 'transcript_appended',
      event_id: events[2]?.msgId,
      agent_id: 'lines',
      session_id,
      seq: 2,
      role: 'user',
      body: 'three',
      sent_at_ms: 1_234,
      sender_id: scope.contact_id,
      source_plugin: 'whatsapp',
      message_id,
      replayed: true,
    });
    expect(await client.transcript('lines', session_id)).toEqual(told);
    const { events: page } = await client.call('nexo/admin/agent_events/read', {
      agent_id: 'lines',
      session_id,
      since_seq: 1,
      limit: 2,
    });
    expect(page).toEqual(told.slice(2, 4));
  });

  it('is listed newest first, whole, by kind, since a time and up to a limit', async () => {
    const scope = newScope('listed');
    await client.publish(scope, 'old', { timestamp_ms: 1_000 });
    await settled(harness, client);
    await client.pause(scope);
    await client.resume(scope);
    const events = (await ofAgent('listed')).map(({ body }) => body);
    expect(events.map(({ kind }) => kind)).toEqual(['transcript_appended', STATE_CHANGED, STATE_CHANGED]);

    const [line, paused, resumed] = events;
    expect((await listed('listed')).events).toEqual([resumed, paused, line]);
    expect((await listed('listed', { kind: STATE_CHANGED })).events).toEqual([resumed, paused]);
    expect((await listed('listed', { kind: 'transcript_appended' })).events).toEqual([line]);
    expect((await listed('listed', { since_ms: 1_001 })).events).toEqual([resumed, paused]);
    expect((await listed('listed', { limit: 1 })).events).toEqual([resumed]);
    expect((await listed('nobody')).events).toEqual([]);
  });

  it('keeps its agents apart, also those whose names need encoding', async () => {
    const agents = ['a.b', 'a*b', 'a b', 'á>'];
    for (const agent of agents) {
      const scope = newScope(agent);
      await client.pause(scope);
      await client.publish(scope, `for ${agent}`);
      await settled(harness, client);
      await client.resume(scope);
    }
    await settled(harness, client);
    for (const agent of agents) {
      const stored = await client.stored<AgentEvent>(STREAMS.events, eventSubject(agent, STATE_CHANGED));
      expect(stored.map(({ body }) => body.agent_id)).toEqual([agent, agent]);
      const lines = (await listed(agent, { kind: 'transcript_appended' })).events as TranscriptAppendedEvent[];
      expect(lines.map(({ body }) => body)).toEqual([`for ${agent}`]);
    }
  });

  it('can be searched for lines, by any text that an operator types', async () => {
    const scope = newScope('searched');
    const lines = ['the red parcel is late', 'a blue parcel came', 'nothing else'];
    for (const [index, body] of lines.entries()) await client.publish(scope, body, { timestamp_ms: 1_000 + index });
    await settled(harness, client);
    const found = async (query: string, more: object = {}) => {
      const { hits } = await client.call('nexo/admin/agent_events/search', { agent_id: 'searched', query, ...more });
      return hits.map(({ snippet }) => snippet);
    };
    expect(await found('parcel')).toEqual(['a blue parcel came', 'the red parcel is late']);
    expect(await found('red parcel')).toEqual(['the red parcel is late']);
    expect(await found('parcel', { limit: 1 })).toEqual(['a blue parcel came']);
    expect(await found('green')).toEqual([]);
    for (const query of ['', "'", '"', '&|!', '(((', ':*', '\\', '%', 'a'.repeat(10_000), '\u0000', '-', '<->']) {
      await expect(found(query)).resolves.toBeInstanceOf(Array);
    }
    const { hits } = await client.call('nexo/admin/agent_events/search', { agent_id: 'searched', query: 'blue' });
    expect(hits).toEqual([
      {
        session_id: expect.any(String),
        timestamp_ms: 1_001,
        role: 'user',
        source_plugin: 'whatsapp',
        snippet: expect.stringContaining('blue'),
      },
    ]);
  });
});
