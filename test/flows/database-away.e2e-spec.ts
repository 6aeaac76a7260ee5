import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { AdminMethod, ParamsOf } from '#contracts/methods.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { STREAMS } from '#contracts/subjects.js';

import { newScope, type TestClient } from '../harness/client.js';
import type { BootedConversations } from '../harness/conversations.js';
import { Harness } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';
import { lastSequence, recordOf } from './support/record.js';
import { settled } from './support/settled.js';

const ANSWER_WITHIN_MS = 5_000;

describe('while the database is away', () => {
  let harness: Harness;
  let running: BootedConversations;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    running = await harness.boot({ env: { NEXO_PROCESSING_PENDING_QUEUE_CAP: '1000' } });
    client = await harness.connect();
  });
  afterAll(() => harness.close());

  const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `line ${from + index}`);

  async function expectUnavailable<Name extends AdminMethod>(
    method: Name,
    params: Omit<ParamsOf<Name>, 'operator_token_hash'>,
  ): Promise<void> {
    const startedAt = Date.now();
    const error = { code: -32013, message: expect.stringMatching(/^unavailable: /), data: { reason: 'unavailable' } };
    await expect(client.call(method, params)).rejects.toMatchObject({ error });
    expect(Date.now() - startedAt).toBeLessThan(ANSWER_WITHIN_MS);
  }

  it('nothing is forwarded, commands are unavailable, and then all of it comes once and in order', async () => {
    const [active, held] = [newScope('away'), newScope('away')];
    for (const scope of [active, held]) await client.publish(scope, 'line 0');
    await settled(harness, client);
    await client.pause(held);
    const turnSeq = await lastSequence(client, STREAMS.turns);
    const eventSeq = await lastSequence(client, STREAMS.events);

    await harness.database.cutOff();
    try {
      for (const body of lines(1, 30)) for (const scope of [active, held]) await client.publish(scope, body);
      const retries = () => running.logs.filter(({ msg }) => msg.includes('a batch was not stored')).length;
      const scope = active;
      const session = { agent_id: 'away', session_id: randomUUID() };
      await Promise.all([
        waitFor(() => retries() >= 3),
        expectUnavailable('nexo/admin/processing/pause', { scope }),
        expectUnavailable('nexo/admin/processing/resume', { scope: held }),
        expectUnavailable('nexo/admin/processing/state', { scope }),
        expectUnavailable('nexo/admin/processing/pending', { scope: held }),
        expectUnavailable('nexo/admin/processing/preview', { scope: held }),
        expectUnavailable('nexo/admin/conversations/list', {}),
        expectUnavailable('nexo/admin/agent_events/list', { agent_id: 'away' }),
        expectUnavailable('nexo/admin/agent_events/read', session),
        expectUnavailable('nexo/admin/agent_events/search', { agent_id: 'away', query: 'line' }),
      ]);
      expect(await lastSequence(client, STREAMS.turns)).toBe(turnSeq);
      expect(await lastSequence(client, STREAMS.events)).toBe(eventSeq);
    } finally {
      await harness.database.bringBack();
    }

    await settled(harness, client, 20_000);
    expect(await client.state(held)).toMatchObject({ state: 'paused_by_operator' });
    expect((await recordOf(client, active)).asked).toEqual(lines(0, 30));
    expect((await recordOf(client, held)).asked).toEqual(['line 0']);
    await expect(client.resume(held)).resolves.toMatchObject({ changed: true, drained_pending: 29 });
    await settled(harness, client);
    for (const scope of [active, held]) {
      const { askedInEffect, stamped } = await recordOf(client, scope);
      expect(askedInEffect).toEqual(lines(0, 30));
      expect(stamped).toEqual(lines(0, 30));
    }
  });

  it('for a moment only, in the middle of all work, nothing is lost, doubled or out of order', async () => {
    const scopes = [newScope('broken'), newScope('broken')];
    const published = new Map<ConversationScope, string[]>(scopes.map((scope) => [scope, []]));
    let working = true;
    const publish = async (scope: ConversationScope) => {
      const bodies = published.get(scope) ?? [];
      while (working) {
        bodies.push(`line ${bodies.length}`);
        await client.publish(scope, bodies.at(-1) as string);
        await delay(1);
      }
    };
    /** A command that finds its connection broken may have been carried out; it is safe to ask again. */
    const untilAnswered = (command: () => Promise<unknown>) => waitFor(async () => (await command()) !== undefined);
    const takeTurns = async (scope: ConversationScope) => {
      while (working) {
        await untilAnswered(() => client.pause(scope));
        await untilAnswered(() => client.resume(scope));
      }
    };
    const work = [...scopes.map(publish), ...scopes.map(takeTurns)];
    for (let round = 0; round < 6; round += 1) {
      const before = Math.min(...scopes.map((scope) => published.get(scope)?.length ?? 0));
      await waitFor(() => scopes.every((scope) => (published.get(scope)?.length ?? 0) > before + 20));
      await harness.database.breakConnections();
    }
    working = false;
    await Promise.all(work);
    for (const scope of scopes) await untilAnswered(() => client.resume(scope));
    await settled(harness, client, 20_000);

    for (const scope of scopes) {
      const { messages, askedInEffect, stamped } = await recordOf(client, scope);
      // A turn is out while its row outlives the broken connection: then the resume takes it over like any open turn.
      expect(askedInEffect).toEqual(published.get(scope));
      expect(stamped).toEqual(published.get(scope));
      const epochs = messages.map(({ message }) => message.epoch);
      expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
    }
    const events = await client.events('broken');
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length);
  }, 60_000);
});
