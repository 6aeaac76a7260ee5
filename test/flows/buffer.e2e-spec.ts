import { randomUUID } from 'node:crypto';

import type { PendingInboundsDroppedEvent } from '#contracts/agent-event.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { STREAMS } from '#contracts/subjects.js';
import type { Turn } from '#contracts/turn.js';

import { newScope, type PublishOptions, type TestClient } from '../harness/client.js';
import type { BootedConversations } from '../harness/conversations.js';
import { Harness } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';
import { lastSequence } from './support/record.js';
import { settled } from './support/settled.js';

describe('the buffer of a held conversation', () => {
  let harness: Harness;
  let running: BootedConversations;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    client = await harness.connect();
    running = await harness.boot();
  });
  afterAll(() => harness.close());

  async function restartWithCap(cap?: number): Promise<void> {
    await running.stop();
    running = await harness.boot(cap === undefined ? {} : { env: { NEXO_PROCESSING_PENDING_QUEUE_CAP: String(cap) } });
  }

  async function say(scope: ConversationScope, ...lines: ({ body: string } & PublishOptions)[]): Promise<void> {
    for (const { body, ...more } of lines) await client.publish(scope, body, more);
    await settled(harness, client);
  }

  /** Numbered lines, each with a message id. */
  const numbered = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => ({ body: `#${from + index}`, message_id: randomUUID() }));

  async function resumeTurns(scope: ConversationScope): Promise<Turn[]> {
    await settled(harness, client);
    const messages = await client.turns(scope);
    return messages.filter((message): message is Turn => message.kind === 'turn' && message.cause === 'resume');
  }

  async function dropped(scope: ConversationScope): Promise<PendingInboundsDroppedEvent[]> {
    const events = await client.events(scope.agent_id, 'pending_inbounds_dropped');
    return events as unknown as PendingInboundsDroppedEvent[];
  }

  async function evictedBodies(scope: ConversationScope): Promise<string[] | undefined> {
    const { evicted } = await client.pending(scope, { include_evicted: true });
    return evicted?.map(({ inbound }) => inbound.body);
  }

  it('keeps the newest 50: of 53 inbounds the first three are evicted, named, and never replayed', async () => {
    const scope = newScope('fifty');
    const lines = numbered(1, 53);
    await client.pause(scope);
    await say(scope, ...lines);
    const kept = lines.slice(3).map(({ body }) => body);

    const events = await dropped(scope);
    expect(events.reduce((sum, event) => sum + event.dropped, 0)).toBe(3);
    expect(events.flatMap(({ message_ids = [] }) => message_ids)).toEqual(
      lines.slice(0, 3).map(({ message_id }) => message_id),
    );
    expect(events.every((event) => event.scope.kind === 'conversation' && event.agent_id === 'fifty')).toBe(true);
    const pending = await client.pending(scope, { include_evicted: true });
    expect(pending).toMatchObject({ depth: 50, cap: 50 });
    expect(pending.inbounds.map(({ body }) => body)).toEqual(kept);
    expect(pending.evicted?.map(({ inbound }) => inbound.body)).toEqual(['#1', '#2', '#3']);
    expect(pending.evicted?.every(({ evicted_at_ms }) => Math.abs(evicted_at_ms - Date.now()) < 60_000)).toBe(true);
    expect(await client.pending(scope)).not.toHaveProperty('evicted');

    await expect(client.resume(scope)).resolves.toMatchObject({ drained_pending: 50, transcript_stamped: true });
    const turns = await resumeTurns(scope);
    expect(turns).toHaveLength(1);
    expect(turns[0]?.inbounds.map(({ body }) => body)).toEqual(kept);
    expect(turns[0]?.entries?.map(({ body }) => body)).toEqual(kept);
    const stamped = await client.transcript('fifty', turns[0]?.session_id ?? '');
    expect(stamped.map(({ body }) => body)).toEqual(kept);

    expect(await client.pending(scope, { include_evicted: true })).toMatchObject({ depth: 0, inbounds: [] });
    expect(await evictedBodies(scope)).toEqual(['#1', '#2', '#3']);
    await client.done(turns[0] as Turn);
    await client.pause(scope);
    await expect(client.resume(scope)).resolves.toMatchObject({ drained_pending: 0 });
    expect(await resumeTurns(scope)).toHaveLength(1);
  });

  it('tells the evictions of one batch in one event with all their ids', async () => {
    const scope = newScope('one-batch');
    await client.pause(scope);
    await running.stop();
    const lines = numbered(1, 60);
    for (const { body, ...more } of lines) await client.publish(scope, body, more);
    await restartWithCap();
    await settled(harness, client);
    expect(await dropped(scope)).toEqual([
      expect.objectContaining({ dropped: 10, message_ids: lines.slice(0, 10).map(({ message_id }) => message_id) }),
    ]);
  });

  it('keeps attachments without a text', async () => {
    const scope = newScope('voice-note');
    const attachments = [{ kind: 'audio', url: 'https://media.test/1.ogg', seconds: 3.5 }, 'a string', null];
    await client.pause(scope);
    await say(scope, { body: '', attachments });
    expect(await client.pending(scope)).toMatchObject({ depth: 1, inbounds: [{ body: '', attachments }] });
    await client.resume(scope);
    const [turn] = await resumeTurns(scope);
    expect(turn?.inbounds).toMatchObject([{ body: '', attachments }]);
    expect(turn?.entries).toMatchObject([{ body: '', attachments, replayed: true }]);
  });

  it.each([
    ['message_id', (id: string) => ({ message_id: id })],
    ['Nats-Msg-Id', (id: string) => ({ msgId: id })],
  ])('counts copies of an inbound once, by %s, while it waits and after it was handed back', async (name, idOf) => {
    const scope = newScope(`copies-${name}`);
    const more = idOf(randomUUID());
    await client.pause(scope);
    await Promise.all(Array.from({ length: 5 }, () => say(scope, { body: 'once', ...more })));
    await say(scope, { body: 'another' }, { body: 'once, edited', ...more });
    const { depth, inbounds } = await client.pending(scope);
    expect(depth).toBe(2);
    expect(inbounds.map(({ body }) => body).sort()).toEqual(['another', 'once']);

    await client.resume(scope);
    await say(scope, { body: 'once', ...more });
    for (const turn of await resumeTurns(scope)) await client.done(turn);
    await client.pause(scope);
    await say(scope, { body: 'once', ...more });
    expect(await client.pending(scope)).toMatchObject({ depth: 0 });
    await client.resume(scope);
    const turns = (await client.turns(scope)).filter(({ kind }) => kind === 'turn');
    expect(turns).toHaveLength(1);
    expect(await client.stored(STREAMS.quarantine)).toEqual([]);
  });

  it('takes the same id in two conversations for two messages', async () => {
    const [one, other] = [newScope('same-id'), newScope('same-id')];
    const message_id = randomUUID();
    for (const scope of [one, other]) {
      await client.pause(scope);
      await say(scope, { body: 'by message id', message_id });
    }
    const isTaken = async (scope: ConversationScope) => {
      const before = await lastSequence(client, STREAMS.inbound);
      return (await client.publish(scope, 'by header', { msgId: message_id })) > before;
    };
    // The server itself knows an id again for a moment, whichever conversation it is of.
    for (const scope of [one, other]) await waitFor(() => isTaken(scope));
    await settled(harness, client);
    for (const scope of [one, other]) expect(await client.pending(scope)).toMatchObject({ depth: 2 });
  });

  describe('with another cap', () => {
    it('works with a lowered one at the next arrival, not before', async () => {
      const scope = newScope('lowered');
      await client.pause(scope);
      await say(scope, ...numbered(1, 5));
      await restartWithCap(2);
      expect(await client.pending(scope)).toMatchObject({ depth: 5, cap: 2 });
      await say(scope, ...numbered(6, 6));
      expect((await client.pending(scope)).inbounds.map(({ body }) => body)).toEqual(['#5', '#6']);
      expect(await dropped(scope)).toMatchObject([{ dropped: 4 }]);
      expect(await evictedBodies(scope)).toEqual(['#1', '#2', '#3', '#4']);
      await expect(client.resume(scope)).resolves.toMatchObject({ drained_pending: 2 });
    });

    it('hands back all that waits when it was lowered and nothing came since', async () => {
      await restartWithCap();
      const scope = newScope('lowered-quiet');
      await client.pause(scope);
      await say(scope, ...numbered(1, 5));
      await restartWithCap(2);
      await expect(client.resume(scope)).resolves.toMatchObject({ drained_pending: 5 });
      expect(await dropped(scope)).toEqual([]);
    });

    it('of 0 evicts every inbound at once, keeps it readable and asks the agent for nothing', async () => {
      await restartWithCap(0);
      const scope = newScope('none');
      await say(scope, { body: 'active' });
      const [active] = await client.turnsOf(scope, 1);
      await client.done(active as Turn);
      await client.pause(scope);
      const lines = numbered(1, 3);
      await say(scope, ...lines);
      expect(await client.pending(scope, { include_evicted: true })).toMatchObject({ depth: 0, cap: 0, inbounds: [] });
      expect(await evictedBodies(scope)).toEqual(['#1', '#2', '#3']);
      expect((await dropped(scope)).flatMap(({ message_ids = [] }) => message_ids)).toEqual(
        lines.map(({ message_id }) => message_id),
      );
      await expect(client.resume(scope)).resolves.toEqual({
        changed: true,
        correlation_id: expect.any(String),
        drained_pending: 0,
        epoch: 2,
      });
      expect(await resumeTurns(scope)).toEqual([]);
      await say(scope, { body: 'active again' });
      expect((await client.turns(scope)).map(({ kind }) => kind)).toEqual(['turn', 'hold', 'turn']);
    });
  });
});
