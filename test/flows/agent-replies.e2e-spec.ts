import { randomUUID } from 'node:crypto';

import type { ConversationScope } from '#contracts/processing-scope.js';
import type { Turn } from '#contracts/turn.js';

import { newScope, type TestClient } from '../harness/client.js';
import { FakeChannel } from '../harness/fake-channel.js';
import { Harness } from '../harness/harness.js';
import { answer, intervene, outboundsOf, reply } from './support/replies.js';
import { settled } from './support/settled.js';

const CARD = '4111 1111 1111 1111';

describe('a reply of the agent', () => {
  let harness: Harness;
  let client: TestClient;
  let channel: FakeChannel;

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot({ env: { HOLDLINE_CHANNEL_TIMEOUT_MS: '1000' } });
    client = await harness.connect();
    channel = await FakeChannel.of(client.nc, newScope());
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    channel.answer = ({ outbound_id }) => ({ outbound_message_id: `wamid.${outbound_id}` });
  });

  /** Lines of the contact; gives the turn of the last one. */
  async function ask(scope: ConversationScope, ...bodies: string[]): Promise<Turn> {
    for (const body of bodies) await client.publish(scope, body, { message_id: randomUUID() });
    return lastTurn(scope);
  }

  const turnsOf = async (scope: ConversationScope) => {
    await settled(harness, client);
    return (await client.turns(scope)).filter((message): message is Turn => message.kind === 'turn');
  };
  const lastTurn = async (scope: ConversationScope) => (await turnsOf(scope)).at(-1) as Turn;
  const askedOf = (scope: ConversationScope) => channel.asked.filter(({ to }) => to === scope.contact_id);
  const draftsOf = async (scope: ConversationScope) => (await client.call('nexo/admin/drafts/list', { scope })).drafts;
  const suppressedOf = async (agentId: string) => {
    await settled(harness, client);
    return client.events(agentId, 'agent_reply_suppressed');
  };

  it('reaches the contact as written, and is a line of the transcript without secrets', async () => {
    const scope = newScope('replies');
    const turn = await ask(scope, 'which card?');
    const sent = await answer(client, turn, { body: `the one with ${CARD}` });
    const [message, ...others] = askedOf(scope);
    expect(others).toEqual([]);
    const { kind: _, ...asked } = reply(scope, { body: `the one with ${CARD}` });
    expect(message).toEqual({ ...asked, outbound_id: expect.any(String), scope, origin: 'agent', epoch: 0 });
    expect(sent).toEqual({ status: 'sent', outbound_message_id: `wamid.${message?.outbound_id}` });
    const [, line] = await client.agentTranscript('replies', turn.session_id);
    expect(line).toEqual({
      seq: 1,
      role: 'assistant',
      body: 'the one with [REDACTED:card]',
      sent_at_ms: expect.any(Number),
      sender_id: 'agent:replies',
      source_plugin: 'whatsapp',
      delivery: 'sent',
    });
    await settled(harness, client);
    expect(await client.events('replies', 'transcript_appended')).toMatchObject([
      { seq: 0 },
      { seq: 1, role: 'assistant' },
    ]);
    expect(JSON.stringify(await outboundsOf(harness.database, scope))).not.toContain(CARD);
  });

  it('goes to the session that it names', async () => {
    const scope = newScope('named-session');
    const turn = await ask(scope, 'hello');
    const session_id = randomUUID();
    await answer(client, turn, {}, { session_id });
    expect(await client.agentTranscript('named-session', session_id)).toMatchObject([{ seq: 0, role: 'assistant' }]);
  });

  it('answers its turn and those before it, so that a resume does not ask them again', async () => {
    const scope = newScope('answers');
    const turn = await ask(scope, 'one', 'two');
    await client.publish(scope, 'three');
    await answer(client, turn);
    await client.pause(scope);
    await client.resume(scope);
    expect((await lastTurn(scope)).inbounds.map(({ body }) => body)).toEqual(['three']);
  });

  it('may be one of several to a turn; the same is sent once, also when it is asked for at once', async () => {
    const scope = newScope('several');
    const turn = await ask(scope, 'hello');
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => answer(client, turn, { body: 'first' })));
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    await answer(client, turn, { body: 'second' });
    expect(await answer(client, turn, { body: 'first' })).toEqual(outcomes[0]);
    expect(askedOf(scope).map(({ body }) => body)).toEqual(['first', 'second']);
  });

  it.each([
    ['refusal', () => ({ error: { reason: 'blocked', detail: 'the contact has left' } }), 'channel_rejected'],
    ['silence', () => 'silence' as const, 'channel_timeout'],
  ])('that meets a %s is not sent again, whoever asks', async (kind, said, word) => {
    const scope = newScope(`once-${kind}`);
    const turn = await ask(scope, 'hello');
    channel.answer = said;
    for (let times = 0; times < 2; times += 1) {
      await expect(answer(client, turn)).rejects.toMatchObject({ error: { data: { reason: word } } });
    }
    expect(askedOf(scope)).toHaveLength(1);
    expect(await client.agentTranscript(scope.agent_id, turn.session_id)).toHaveLength(1);
  });

  it.each([
    ['of which it is not known whether it was sent', () => 'silence' as const, false],
    ['that was refused', () => ({ error: { reason: 'blocked' } }), true],
  ])('%s leaves its turn open: %s', async (_, said, isOpen) => {
    const scope = newScope(`open-${isOpen}`);
    const turn = await ask(scope, 'hello');
    channel.answer = said;
    await answer(client, turn).catch(() => undefined);
    await client.pause(scope);
    await client.resume(scope);
    expect(await turnsOf(scope)).toHaveLength(isOpen ? 2 : 1);
  });

  it('can be tried again when nobody served the channel', async () => {
    const scope = newScope('nobody');
    const turn = await ask(scope, 'hello');
    await channel.leave();
    await expect(answer(client, turn)).rejects.toMatchObject({ error: { data: { reason: 'channel_unavailable' } } });
    await channel.listen();
    await expect(answer(client, turn)).resolves.toMatchObject({ status: 'sent' });
    expect(askedOf(scope)).toHaveLength(1);
  });

  it('is kept as a draft, told once, while a person has the conversation', async () => {
    const scope = newScope('kept');
    const turn = await ask(scope, 'hello');
    await client.pause(scope);
    const kept = await answer(client, turn, { body: `to ${CARD}` });
    expect(kept).toEqual({ status: 'suppressed', reason: 'paused', draft_id: expect.any(String) });
    expect(await answer(client, turn, { body: `to ${CARD}` })).toEqual(kept);
    expect(askedOf(scope)).toEqual([]);
    const draft_id = kept.status === 'suppressed' ? kept.draft_id : '';
    expect(await draftsOf(scope)).toEqual([
      {
        draft_id,
        scope,
        turn_id: turn.turn_id,
        action: reply(scope, { body: `to ${CARD}` }),
        reason: 'paused',
        status: 'open',
        created_at_ms: expect.any(Number),
      },
    ]);
    expect(await suppressedOf('kept')).toEqual([
      {
        kind: 'agent_reply_suppressed',
        event_id: expect.any(String),
        agent_id: 'kept',
        at_ms: expect.any(Number),
        scope,
        turn_id: turn.turn_id,
        draft_id,
        reason: 'paused',
      },
    ]);
    expect(await client.agentTranscript('kept', turn.session_id)).toHaveLength(1);
    await client.resume(scope);
    expect((await lastTurn(scope)).inbounds).toMatchObject([{ body: 'hello' }]);
    expect(await answer(client, turn, { body: `to ${CARD}` })).toEqual(kept);
  });

  it('to a turn from before a hold does not pass after it, whatever epoch it names', async () => {
    const scope = newScope('stale');
    const old = await ask(scope, 'hello');
    await answer(client, old, { body: 'before' });
    await client.pause(scope);
    await client.resume(scope);
    for (const epoch of [0, 1, 2, 7]) {
      const kept = await answer(client, old, { body: `late ${epoch}` }, { epoch });
      expect(kept).toMatchObject({ status: 'suppressed', reason: 'stale_epoch' });
    }
    const next = await ask(scope, 'still there?');
    expect(next).toMatchObject({ cause: 'inbound', epoch: 2 });
    await expect(answer(client, next, { body: 'ahead' }, { epoch: 4 })).resolves.toMatchObject({
      reason: 'stale_epoch',
    });
    await expect(answer(client, next, { body: 'yes' })).resolves.toMatchObject({ status: 'sent' });
    expect(askedOf(scope).map(({ body }) => body)).toEqual(['before', 'yes']);
  });

  it('passes once after the agent has asked for a person, which puts nothing on hold', async () => {
    const scope = newScope('asks-for-a-person');
    const turn = await ask(scope, 'hello');
    const escalation = { scope, summary: 'a refund', reason: 'needs_human_judgment' as const };
    await expect(client.ask('nexo/agent/escalate', escalation)).resolves.toMatchObject({ changed: true });
    await expect(answer(client, turn, { body: 'somebody will write' })).resolves.toMatchObject({ status: 'sent' });
    expect(askedOf(scope).map(({ body }) => body)).toEqual(['somebody will write']);
    expect(await client.state(scope)).toEqual({ state: 'agent_active' });
  });

  it('to the turn of a resume passes until the next pause', async () => {
    const scope = newScope('resumed');
    await client.pause(scope);
    await client.publish(scope, 'waited');
    await settled(harness, client);
    await client.resume(scope);
    const turn = await lastTurn(scope);
    await expect(answer(client, turn, { body: 'in time' })).resolves.toMatchObject({ status: 'sent' });
    await client.pause(scope);
    await client.resume(scope);
    await expect(answer(client, turn, { body: 'late' }, { epoch: 4 })).resolves.toMatchObject({
      reason: 'stale_epoch',
    });
  });

  it.each([{ channel: 'sms' }, { account_id: 'another' }, { to: 'somebody else' }])(
    'to %j is refused',
    async (elsewhere) => {
      const scope = newScope('elsewhere');
      const turn = await ask(scope, 'hello');
      const refused = answer(client, turn, elsewhere);
      await expect(refused).rejects.toMatchObject({ error: { code: -32602, data: { reason: 'target_mismatch' } } });
      expect(await draftsOf(scope)).toEqual([]);
    },
  );

  it('needs a turn of this very conversation', async () => {
    const turn = await ask(newScope('own'), 'hello');
    const scope = newScope('own');
    await ask(scope, 'hello');
    const unknown = { error: { code: -32006, data: { reason: 'unknown_turn' } } };
    await expect(answer(client, { ...turn, scope })).rejects.toMatchObject(unknown);
    await expect(answer(client, { ...turn, turn_id: randomUUID() })).rejects.toMatchObject(unknown);
    await expect(answer(client, { ...turn, scope: newScope('never-seen') })).rejects.toMatchObject(unknown);
  });

  it('is asked for with knowledge of what the operator said, stamped or not', async () => {
    const scope = newScope('knows');
    const { session_id } = await ask(scope, 'how much?');
    await client.pause(scope);
    await intervene(client, scope, { action: reply(scope, { body: 'price is 40' }), session_id });
    await intervene(client, scope, { action: reply(scope, { body: 'without tax' }) });
    await client.publish(scope, 'so how much?');
    await settled(harness, client);
    await client.resume(scope);
    const turn = await lastTurn(scope);
    expect(turn.inbounds).toEqual([expect.objectContaining({ body: 'so how much?' })]);
    expect(turn.inbounds[0]).not.toHaveProperty('answered');
    expect(turn.entries).toMatchObject([
      {
        seq: 1,
        role: 'assistant',
        body: 'price is 40',
        sender_id: 'operator:ops',
        source_plugin: 'intervention:whatsapp',
      },
      { role: 'assistant', body: 'without tax', sender_id: 'operator:ops', delivery: 'sent' },
      { seq: 2, role: 'user', body: 'so how much?' },
    ]);
    expect(turn.entries?.[1]).not.toHaveProperty('seq');
  });

  it('is not asked for where the operator has answered: what came before is marked, what was open is closed', async () => {
    const scope = newScope('marked');
    await ask(scope, 'open');
    await client.pause(scope);
    await client.publish(scope, 'handled');
    await settled(harness, client);
    await intervene(client, scope);
    await client.publish(scope, 'later');
    await settled(harness, client);
    await client.resume(scope);
    expect((await lastTurn(scope)).inbounds.map(({ body, answered }) => [body, answered])).toEqual([
      ['handled', true],
      ['later', undefined],
    ]);
  });
});
