import { randomUUID } from 'node:crypto';

import type { ConversationScope } from '#contracts/processing-scope.js';
import { STREAMS } from '#contracts/subjects.js';
import type { Turn } from '#contracts/turn.js';
import { conversationId } from '#domain/conversation/conversation-id.js';

import { newScope, type TestClient } from '../harness/client.js';
import { Harness } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';
import { setStreamFull } from './support/full-stream.js';
import { settled } from './support/settled.js';

const CAP = 2;

describe('turns that are committed and not yet published when a pause comes', () => {
  let harness: Harness;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot({ env: { NEXO_PROCESSING_PENDING_QUEUE_CAP: String(CAP) } });
    client = await harness.connect();
  });
  afterAll(() => harness.close());
  beforeEach(() => setStreamFull(client, STREAMS.turns, true));
  afterEach(() => setStreamFull(client, STREAMS.turns, false));

  const unpublished = async (scope: ConversationScope, kind: string) => {
    const rows = await harness.database.query('SELECT FROM outbox WHERE ordering_key = $1 AND kind = $2', [
      conversationId(scope),
      kind,
    ]);
    return rows.length;
  };

  /** Publishes lines that become turns, and waits until these stand in the outbox. */
  async function commitTurns(scope: ConversationScope, bodies: string[]): Promise<void> {
    for (const body of bodies) await client.publish(scope, body, { message_id: randomUUID() });
    await waitFor(async () => (await unpublished(scope, 'turn')) === bodies.length);
  }

  /** Pauses while the Hold cannot get out; resolves once it waits in the outbox, with the answer still to come. */
  async function beginPause(scope: ConversationScope): Promise<{ answer: Promise<{ changed: boolean }> }> {
    const answer = client.pause(scope);
    await waitFor(async () => (await unpublished(scope, 'hold')) === 1);
    return { answer };
  }

  const buffer = async (scope: ConversationScope, bodies: string[], depth: number) => {
    for (const body of bodies) await client.publish(scope, body, { message_id: randomUUID() });
    await waitFor(async () => (await client.pending(scope)).depth === depth);
  };
  const pendingBodies = async (scope: ConversationScope) =>
    (await client.pending(scope)).inbounds.map(({ body }) => body);
  const turnsOf = async (scope: ConversationScope) => {
    await settled(harness, client);
    return (await client.turns(scope)) as Turn[];
  };
  const toldLines = async (agentId: string) => {
    const events = await client.events(agentId, 'transcript_appended');
    return events.map(({ seq, body, replayed }) => ({ seq, body, ...(replayed === true ? { replayed } : {}) }));
  };

  it('go back to the head of the buffer and come in the one turn of the resume, in order', async () => {
    const scope = newScope('taken-back');
    await commitTurns(scope, ['first', 'second']);
    const { answer } = await beginPause(scope);
    expect(await unpublished(scope, 'turn')).toBe(0);
    await buffer(scope, ['third'], 3);
    expect(await pendingBodies(scope)).toEqual(['first', 'second', 'third']);

    await setStreamFull(client, STREAMS.turns, false);
    await expect(answer).resolves.toMatchObject({ changed: true, epoch: 1 });
    await expect(client.resume(scope)).resolves.toMatchObject({ drained_pending: 3, transcript_stamped: true });
    const [hold, turn, ...others] = await turnsOf(scope);
    expect(others).toEqual([]);
    expect(hold).toMatchObject({ kind: 'hold', epoch: 1 });
    expect(turn).toMatchObject({ cause: 'resume', epoch: 2 });
    expect(turn?.inbounds.map(({ body }) => body)).toEqual(['first', 'second', 'third']);
    expect(turn?.entries?.map(({ seq, body }) => `${seq} ${body}`)).toEqual(['0 first', '1 second', '2 third']);
  });

  it.each([false, true])('are stamped once, and their lines told once (nothing was told yet: %s)', async (untold) => {
    const agentId = `stamped-once-${untold}`;
    const scope = newScope(agentId);
    await setStreamFull(client, STREAMS.events, untold);
    await commitTurns(scope, ['first', 'second']);
    const { answer } = await beginPause(scope);
    await setStreamFull(client, STREAMS.events, false);
    await setStreamFull(client, STREAMS.turns, false);
    await answer;
    const ack = await client.resume(scope);
    expect(ack).toMatchObject({ drained_pending: 2 });
    expect(ack).not.toHaveProperty('transcript_stamped');
    const [, turn] = await turnsOf(scope);
    const lines = await client.transcript(agentId, turn?.session_id ?? '');
    const once = [
      { seq: 0, body: 'first' },
      { seq: 1, body: 'second' },
    ];
    expect(lines.map(({ seq, body }) => ({ seq, body }))).toEqual(once);
    expect(await toldLines(agentId)).toEqual(once);
  });

  it('do not count against the cap and are never evicted', async () => {
    const scope = newScope('not-counted');
    await commitTurns(scope, ['1', '2', '3']);
    const { answer } = await beginPause(scope);
    await buffer(scope, ['4', '5'], 5);
    expect(await client.events('not-counted', 'pending_inbounds_dropped')).toEqual([]);
    await client.publish(scope, '6');
    await waitFor(async () => (await pendingBodies(scope)).includes('6'));
    expect(await pendingBodies(scope)).toEqual(['1', '2', '3', '5', '6']);
    await setStreamFull(client, STREAMS.turns, false);
    await answer;
    await expect(client.resume(scope)).resolves.toMatchObject({ drained_pending: 5 });
    const [, turn] = await turnsOf(scope);
    expect(turn?.inbounds.map(({ body }) => body)).toEqual(['1', '2', '3', '5', '6']);
    expect(await client.events('not-counted', 'pending_inbounds_dropped')).toMatchObject([{ dropped: 1 }]);
  });

  it('of a resume go back too, and come with the next resume, stamped once', async () => {
    const scope = newScope('resumed-twice');
    const { answer } = await beginPause(scope);
    await setStreamFull(client, STREAMS.turns, false);
    await answer;
    await buffer(scope, ['first', 'second'], 2);
    await settled(harness, client);

    await setStreamFull(client, STREAMS.turns, true);
    await client.resume(scope);
    expect(await unpublished(scope, 'turn')).toBe(1);
    await client.publish(scope, 'third');
    await waitFor(async () => (await unpublished(scope, 'turn')) === 2);
    const again = await beginPause(scope);
    expect(await unpublished(scope, 'turn')).toBe(0);
    expect(await pendingBodies(scope)).toEqual(['first', 'second', 'third']);
    await setStreamFull(client, STREAMS.turns, false);
    await expect(again.answer).resolves.toMatchObject({ changed: true, epoch: 3 });
    await expect(client.resume(scope)).resolves.toMatchObject({ drained_pending: 3, epoch: 4 });

    const messages = await turnsOf(scope);
    expect(messages.map(({ kind, epoch }) => `${kind} ${epoch}`)).toEqual(['hold 1', 'hold 3', 'turn 4']);
    expect(messages[2]?.inbounds.map(({ body }) => body)).toEqual(['first', 'second', 'third']);
    expect(await toldLines('resumed-twice')).toEqual([
      { seq: 0, body: 'first', replayed: true },
      { seq: 1, body: 'second', replayed: true },
      { seq: 2, body: 'third' },
    ]);
  });
});
