import { jetstreamManager } from '@nats-io/jetstream';

import { STREAMS } from '#contracts/subjects.js';
import type { Turn } from '#contracts/turn.js';

import { newScope, type TestClient } from '../harness/client.js';
import type { BootedConversations } from '../harness/conversations.js';
import { Harness } from '../harness/harness.js';
import { settled } from './support/settled.js';

const TAKEN_BYTES = 4_096;

describe('a message that the broker will never take', () => {
  let harness: Harness;
  let running: BootedConversations;
  let client: TestClient;
  let bob: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    running = await harness.boot();
    client = await harness.connect();
    bob = await harness.connect('bob');
  });
  afterAll(() => harness.close());
  afterEach(() => limitTo(STREAMS.turns, -1));

  async function limitTo(stream: string, bytes: number): Promise<void> {
    const manager = await jetstreamManager(client.nc, { checkAPI: false });
    await manager.streams.update(stream, { max_msg_size: bytes });
  }

  const setAside = () =>
    harness.database.query<{ kind: string; payload: string; reason: string }>(
      'SELECT kind, payload, reason FROM unpublishable ORDER BY outbox_id',
    );
  const errors = () => running.logs.filter(({ level }) => level === 'error');

  it('is set aside with an error and an event, and what comes behind it goes on', async () => {
    const scope = newScope('large');
    await limitTo(STREAMS.turns, TAKEN_BYTES);
    for (const body of ['before', 'x'.repeat(TAKEN_BYTES), 'after']) await client.publish(scope, body);
    await settled(harness, client);

    const turns = (await client.turns(scope)) as Turn[];
    expect(turns.map(({ inbounds }) => inbounds[0]?.body)).toEqual(['before', 'after']);
    const [row, ...others] = await setAside();
    expect(others).toEqual([]);
    const { turn_id, inbounds } = JSON.parse(row?.payload ?? '') as Turn;
    expect(row).toMatchObject({ kind: 'turn', reason: expect.stringMatching(/\S/) });
    expect(inbounds[0]?.body).toHaveLength(TAKEN_BYTES);
    expect(errors()).toEqual([
      expect.objectContaining({ msg_id: turn_id, subject: expect.stringContaining('nexo.turns.large.') }),
    ]);
    expect(await client.events('large', 'turn_failed')).toEqual([
      {
        kind: 'turn_failed',
        event_id: expect.any(String),
        agent_id: 'large',
        at_ms: expect.any(Number),
        scope,
        turn_id,
        detail: expect.stringMatching(/\S/),
      },
    ]);
    const lines = await client.transcript('large', turns[0]?.session_id ?? '');
    expect(lines.map(({ body }) => body.length)).toEqual([6, TAKEN_BYTES, 5]);
    expect((await client.events('large', 'transcript_appended')).map(({ seq }) => seq)).toEqual([0, 1, 2]);
  });

  it('does not keep a pause from holding the conversation, nor a resume from handing it back', async () => {
    const scope = newScope('held-large');
    await limitTo(STREAMS.turns, TAKEN_BYTES);
    await client.pause(scope);
    await client.publish(scope, 'x'.repeat(TAKEN_BYTES));
    await settled(harness, client);
    await expect(client.resume(scope)).resolves.toMatchObject({ changed: true, drained_pending: 1 });
    await settled(harness, client);
    const [failed, ...others] = await client.events('held-large', 'turn_failed');
    expect(others).toEqual([]);
    await client.done({ turn_id: failed?.['turn_id'] as string });
    await expect(client.pause(scope)).resolves.toMatchObject({ changed: true, epoch: 3 });
    await client.publish(scope, 'small');
    await settled(harness, client);
    await client.resume(scope);
    await settled(harness, client);
    const messages = await client.turns(scope);
    expect(messages.map(({ kind, epoch }) => `${kind} ${epoch}`)).toEqual(['hold 1', 'hold 3', 'turn 4']);
  });

  it('may be an event: the pause that it tells of holds, and the events behind it come', async () => {
    const scope = newScope('large-event');
    const before = (await setAside()).length;
    await limitTo(STREAMS.events, TAKEN_BYTES);
    try {
      await expect(client.pause(scope, { reason: 'x'.repeat(TAKEN_BYTES) })).resolves.toMatchObject({ changed: true });
      await settled(harness, client);
    } finally {
      await limitTo(STREAMS.events, -1);
    }
    await expect(bob.pause(scope, { take_over: true, reason: 'short' })).resolves.toMatchObject({ changed: true });
    await settled(harness, client);
    expect((await client.turns(scope)).map(({ kind }) => kind)).toEqual(['hold']);
    expect(await setAside()).toHaveLength(before + 1);
    expect(await client.events('large-event', 'processing_state_changed')).toMatchObject([{ by: 'bob' }]);
    const told = { reason: 'unpublishable', subject: expect.stringContaining('processing_state_changed') };
    expect(await client.events('system', 'inbound_quarantined')).toMatchObject([told]);
  });
});
