import { randomUUID } from 'node:crypto';

import { MAX_OPEN_INBOUNDS_IN_RESUME } from '#contracts/limits.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { STREAMS } from '#contracts/subjects.js';
import type { Turn } from '#contracts/turn.js';
import { conversationId } from '#domain/conversation/conversation-id.js';

import { newScope, type TestClient } from '../harness/client.js';
import { Harness } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';
import { setStreamFull } from './support/full-stream.js';
import { HeldRow } from './support/held-row.js';
import { settled } from './support/settled.js';

const UNKNOWN_TURN = { code: -32006, data: { reason: 'unknown_turn' } };

describe('what the agent was asked and has not answered', () => {
  let harness: Harness;
  let client: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot();
    client = await harness.connect();
  });
  afterAll(() => harness.close());

  async function say(scope: ConversationScope, ...bodies: string[]): Promise<void> {
    for (const body of bodies) await client.publish(scope, body, { message_id: randomUUID() });
    await settled(harness, client);
  }

  const turnsOf = async (scope: ConversationScope) => {
    await settled(harness, client);
    return (await client.turns(scope)).filter((message): message is Turn => message.kind === 'turn');
  };
  const lastTurn = async (scope: ConversationScope) => (await turnsOf(scope)).at(-1) as Turn;
  const bodiesOf = (turn: Turn | undefined) => turn?.inbounds.map(({ body }) => body);
  const fail = (turn: Turn, detail?: string) =>
    client.ask('nexo/agent/done', {
      turn_id: turn.turn_id,
      outcome: 'failed',
      ...(detail === undefined ? {} : { detail }),
    });
  const failuresOf = (agentId: string) => client.events(agentId, 'turn_failed');

  it('is asked again with the resume, before what waited, and a preview shows it', async () => {
    const scope = newScope('again');
    await say(scope, 'was it sent?', 'hello?');
    await client.pause(scope);
    await say(scope, 'anybody?');
    expect(bodiesOf(await client.preview(scope))).toEqual(['was it sent?', 'hello?', 'anybody?']);
    await expect(client.resume(scope)).resolves.toMatchObject({ drained_pending: 1, transcript_stamped: true });
    const turn = await lastTurn(scope);
    expect(turn).toMatchObject({ cause: 'resume', epoch: 2 });
    expect(bodiesOf(turn)).toEqual(['was it sent?', 'hello?', 'anybody?']);
    expect(turn.entries?.map(({ seq, body }) => `${seq} ${body}`)).toEqual([
      '0 was it sent?',
      '1 hello?',
      '2 anybody?',
    ]);
  });

  it('is asked again even if nothing waited', async () => {
    const scope = newScope('nothing-waited');
    await say(scope, 'was it sent?');
    await client.pause(scope);
    const ack = await client.resume(scope);
    expect(ack).toMatchObject({ changed: true, drained_pending: 0 });
    expect(ack).not.toHaveProperty('transcript_stamped');
    const [, turn, ...others] = await turnsOf(scope);
    expect(others).toEqual([]);
    expect(turn).toMatchObject({ cause: 'resume', inbounds: [{ body: 'was it sent?' }] });
  });

  it('is asked once more with each resume until it is answered', async () => {
    const scope = newScope('more-than-once');
    await say(scope, 'first');
    for (const body of ['second', 'third']) {
      await client.pause(scope);
      await say(scope, body);
      await client.resume(scope);
    }
    const turn = await lastTurn(scope);
    expect(bodiesOf(turn)).toEqual(['first', 'second', 'third']);
    await expect(client.done(turn)).resolves.toEqual({ changed: true });
    await client.pause(scope);
    await client.resume(scope);
    expect(await lastTurn(scope)).toEqual(turn);
  });

  it('is not asked again once the agent has said that there is nothing to say, to it or to a later turn', async () => {
    const scope = newScope('nothing-to-say');
    await say(scope, 'thank you', 'bye', 'one more thing');
    const turns = await turnsOf(scope);
    await expect(client.done(turns[1] as Turn)).resolves.toEqual({ changed: true });
    await expect(client.done(turns[1] as Turn)).resolves.toEqual({ changed: false });
    await expect(client.done(turns[0] as Turn)).resolves.toEqual({ changed: false });
    await client.pause(scope);
    await client.resume(scope);
    expect(bodiesOf(await lastTurn(scope))).toEqual(['one more thing']);
  });

  it('is not asked again if the agent says so during the hold', async () => {
    const scope = newScope('during-the-hold');
    await say(scope, 'thank you');
    await client.pause(scope);
    await expect(client.done(await lastTurn(scope))).resolves.toEqual({ changed: true });
    await client.resume(scope);
    expect(await turnsOf(scope)).toHaveLength(1);
  });

  it('belongs to the resume that has taken it over: an older turn answers nothing any more', async () => {
    const scope = newScope('taken-over');
    await say(scope, 'was it sent?');
    const [old] = await turnsOf(scope);
    await client.pause(scope);
    await client.resume(scope);
    await expect(client.done(old as Turn)).resolves.toEqual({ changed: false });
    await expect(fail(old as Turn)).resolves.toEqual({ changed: false });
    expect(await failuresOf('taken-over')).toEqual([]);
    await client.pause(scope);
    await client.resume(scope);
    expect(bodiesOf(await lastTurn(scope))).toEqual(['was it sent?']);
  });

  it('stays open when the agent gives up, which is told once and without secrets', async () => {
    const scope = newScope('gives-up');
    await say(scope, 'was it sent?');
    const turn = await lastTurn(scope);
    await expect(fail(turn, 'no answer with AKIAIOSFODNN7EXAMPLE')).resolves.toEqual({ changed: true });
    await expect(fail(turn, 'once more')).resolves.toEqual({ changed: false });
    await settled(harness, client);
    expect(await failuresOf('gives-up')).toEqual([
      {
        kind: 'turn_failed',
        event_id: expect.any(String),
        agent_id: 'gives-up',
        at_ms: expect.any(Number),
        scope,
        turn_id: turn.turn_id,
        detail: expect.stringMatching(/^no answer with \[REDACTED:/),
      },
    ]);
    await client.pause(scope);
    await client.resume(scope);
    expect(bodiesOf(await lastTurn(scope))).toEqual(['was it sent?']);
  });

  it('is asked for its newest 50 inbounds, and none is asked twice in a turn', async () => {
    const scope = newScope('many');
    const bodies = Array.from({ length: MAX_OPEN_INBOUNDS_IN_RESUME + 3 }, (_, line) => `line ${line}`);
    await say(scope, ...bodies);
    await client.pause(scope);
    await say(scope, 'waited');
    await client.resume(scope);
    const turn = await lastTurn(scope);
    expect(bodiesOf(turn)).toEqual([...bodies.slice(-MAX_OPEN_INBOUNDS_IN_RESUME), 'waited']);
    expect(turn.entries?.[0]).toMatchObject({ body: bodies.at(-MAX_OPEN_INBOUNDS_IN_RESUME) });
  });

  it('makes no turn larger than it may be: what has no room is where it says', async () => {
    const scope = newScope('large');
    const bodies = Array.from({ length: 6 }, (_, line) => `${line} `.padEnd(200_000, 'x'));
    await say(scope, ...bodies);
    await client.pause(scope);
    await client.resume(scope);
    const turn = await lastTurn(scope);
    expect(bodiesOf(turn)).toEqual(bodies.slice(-2));
    const [range] = turn.more ?? [];
    const { session_id = '', from_seq = 0, to_seq } = range ?? {};
    const lines = await client.agentTranscript(scope.agent_id, session_id);
    const named = lines.filter(({ seq = -1 }) => seq >= from_seq && seq <= (to_seq ?? -1));
    for (const body of bodies.slice(0, -2)) expect(named.map((line) => line.body)).toContain(body);
  });

  it.each([
    ['is not asked again, though a relay that ended after it left the turn in the outbox', true, ['open']],
    ['comes once, though a relay that ended after the publish left the turn in the outbox', false, ['out', 'open']],
  ])('%s', async (_, isAnswered, again) => {
    const scope = newScope(`left-behind-${isAnswered}`);
    await say(scope, 'out', 'open');
    const [out] = await turnsOf(scope);
    if (isAnswered) await client.done(out as Turn);
    const outbox = await HeldRow.ofOutbox(harness.database, scope);
    const pausing = client.pause(scope);
    await outbox.untilWaitedFor(1);
    await outbox.client.query(`INSERT INTO outbox (ordering_key, kind, inbound_id) VALUES ($1, 'turn', $2)`, [
      conversationId(scope),
      out?.turn_id,
    ]);
    await outbox.release();
    await pausing;
    expect(await client.pending(scope)).toMatchObject({ depth: isAnswered ? 0 : 1 });
    await client.resume(scope);
    expect((await turnsOf(scope)).map(bodiesOf)).toEqual([['out'], ['open'], again]);
  });

  it('is not asked again if the agent answers a turn that was out and was taken back all the same', async () => {
    const scope = newScope('answered-late');
    await say(scope, 'out');
    const [out] = await turnsOf(scope);
    const outbox = await HeldRow.ofOutbox(harness.database, scope);
    const pausing = client.pause(scope);
    await outbox.untilWaitedFor(1);
    await outbox.client.query(`INSERT INTO outbox (ordering_key, kind, inbound_id) VALUES ($1, 'turn', $2)`, [
      conversationId(scope),
      out?.turn_id,
    ]);
    await outbox.release();
    await pausing;
    await client.done(out as Turn);
    await expect(client.resume(scope)).resolves.toMatchObject({ drained_pending: 0 });
    expect(await turnsOf(scope)).toHaveLength(1);
  });

  it('of a resume stays open when its turn is taken back before it is out', async () => {
    const scope = newScope('resume-taken-back');
    await say(scope, 'open');
    await client.pause(scope);
    await say(scope, 'waited');
    await setStreamFull(client, STREAMS.turns, true);
    await client.resume(scope);
    const pausing = client.pause(scope);
    await waitFor(async () => (await client.state(scope)).state === 'paused_by_operator');
    expect(await client.pending(scope)).toMatchObject({ depth: 1, inbounds: [{ body: 'waited' }] });
    await setStreamFull(client, STREAMS.turns, false);
    await pausing;
    await client.resume(scope);
    expect((await turnsOf(scope)).map(bodiesOf)).toEqual([['open'], ['open', 'waited']]);
  });

  it('is nothing that Holdline has never given out', async () => {
    for (const outcome of ['nothing_to_say', 'failed'] as const) {
      const asked = client.ask('nexo/agent/done', { turn_id: randomUUID(), outcome });
      await expect(asked).rejects.toMatchObject({ error: UNKNOWN_TURN });
    }
    const scope = newScope('never-given');
    await client.pause(scope);
    await say(scope, 'waits');
    const [row] = await harness.database.query<{ inbound_id: string }>(
      'SELECT inbound_id FROM inbounds WHERE conversation_id = $1',
      [conversationId(scope)],
    );
    await expect(client.done({ turn_id: row?.inbound_id ?? '' })).rejects.toMatchObject({ error: UNKNOWN_TURN });
  });

  it('is not asked again with HOLDLINE_OPEN_TURNS=off', async () => {
    const elsewhere = await Harness.create();
    try {
      await elsewhere.boot({ env: { HOLDLINE_OPEN_TURNS: 'off' } });
      const channel = await elsewhere.connect();
      const scope = newScope('off');
      await channel.publish(scope, 'open');
      await settled(elsewhere, channel);
      await channel.pause(scope);
      await channel.resume(scope);
      await settled(elsewhere, channel);
      expect((await channel.turns(scope)).map(({ kind }) => kind)).toEqual(['turn', 'hold']);
    } finally {
      await elsewhere.close();
    }
  });
});
