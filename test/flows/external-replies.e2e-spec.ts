import { randomUUID } from 'node:crypto';

import type { ChannelEcho } from '#contracts/channel-echo.js';
import type { ConversationScope } from '#contracts/processing-scope.js';

import { newScope, type TestClient } from '../harness/client.js';
import type { BootedConversations } from '../harness/conversations.js';
import { FakeChannel } from '../harness/fake-channel.js';
import { Harness } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';
import { intervene, outboundsOf, reply } from './support/replies.js';
import { settled } from './support/settled.js';

const AT_MS = 1_700_000_000_000;

describe('an answer that a channel saw leave its account', () => {
  let harness: Harness;
  let running: BootedConversations;
  let client: TestClient;
  let channel: FakeChannel;

  beforeAll(async () => {
    harness = await Harness.create();
    running = await harness.boot();
    client = await harness.connect('0a1b2c3d4e5f6071');
    channel = await FakeChannel.of(client.nc, newScope());
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    channel.answer = ({ outbound_id }) => ({ outbound_message_id: `wamid.${outbound_id}` });
  });

  const echoTo = (scope: ConversationScope, more: Partial<ChannelEcho> = {}): ChannelEcho => ({
    to: scope.contact_id,
    body: 'I answer from my phone',
    timestamp_ms: AT_MS,
    outbound_message_id: randomUUID(),
    ...more,
  });
  async function counted(outcome: string): Promise<number> {
    const text = await running.metrics.registry.metrics();
    const figure = new RegExp(`^holdline_channel_reports_total\\{kind="echo",outcome="${outcome}"\\} (\\d+)`, 'm');
    return Number(figure.exec(text)?.[1] ?? 0);
  }
  /** Publishes echoes and waits until they were taken, all in the same way. */
  async function taken(outcome: string, ...echoes: (ChannelEcho | Record<string, unknown> | string)[]): Promise<void> {
    const before = await counted(outcome);
    for (const each of echoes) await channel.echo(each);
    await waitFor(async () => (await counted(outcome)) >= before + echoes.length, {
      what: `${echoes.length} ${outcome}`,
    });
    expect(await counted(outcome)).toBe(before + echoes.length);
  }
  /** A conversation in which the contact has written. */
  async function begun(agentId: string, scope = newScope(agentId)) {
    await client.publish(scope, 'anybody there?');
    const [turn] = await client.turnsOf(scope, 1);
    return { scope, session: turn?.kind === 'turn' ? turn.session_id : '' };
  }
  const stateOf = async (scope: ConversationScope) => (await client.state(scope)).state;
  const bodiesOf = async (scope: ConversationScope, session: string) =>
    (await client.transcript(scope.agent_id, session)).map(({ body }) => body);

  it('beside Holdline is an operator’s line and puts the agent on hold', async () => {
    const { scope, session } = await begun('phone');
    await taken('stamped', echoTo(scope, { attachments: [{ url: 'https://x.test/1' }] }));
    expect(await client.state(scope)).toEqual({
      state: 'paused_by_operator',
      scope,
      paused_at_ms: expect.any(Number),
      operator_token_hash: 'external',
      reason: 'external_reply',
    });
    const [, line] = await client.transcript('phone', session);
    const stamped = {
      seq: 1,
      role: 'assistant',
      body: 'I answer from my phone',
      sent_at_ms: AT_MS,
      sender_id: 'operator:external',
      source_plugin: 'echo:whatsapp',
    };
    expect(line).toMatchObject(stamped);
    const [, hold] = await client.turnsOf(scope, 2);
    expect(hold).toEqual({ kind: 'hold', agent_id: 'phone', scope, epoch: 1 });
    await settled(harness, client);
    const [changed, ...others] = await client.events('phone', 'processing_state_changed');
    expect(others).toEqual([]);
    expect(changed).toMatchObject({ by: 'external', epoch: 1, new_state: { reason: 'external_reply' } });
    expect(await client.events('phone', 'transcript_appended')).toEqual([{}, stamped].map(expect.objectContaining));

    await client.publish(scope, 'thank you');
    await waitFor(async () => (await client.pending(scope)).depth === 1);
    expect(await client.turns(scope)).toHaveLength(2);
    const audited = await harness.database.query(
      `SELECT operator, reason, changed FROM audit_log WHERE agent_id = 'phone'`,
    );
    expect(audited).toEqual([{ operator: 'external', reason: 'external_reply', changed: true }]);
  });

  it('may be followed by any operator’s reply, and the hold may be taken over and handed back', async () => {
    const { scope } = await begun('followed');
    await taken('stamped', echoTo(scope));
    expect(await intervene(client, scope)).toMatchObject({ changed: true });
    expect(await client.pause(scope)).toMatchObject({ changed: false });
    expect(await client.pause(scope, { take_over: true })).toMatchObject({ changed: true, epoch: 1 });
    expect(await client.state(scope)).toMatchObject({
      operator_token_hash: '0a1b2c3d4e5f6071',
      reason: 'external_reply',
    });
    expect(await client.resume(scope)).toMatchObject({ changed: true, epoch: 2 });
  });

  it('changes only the chat that it is of, for every agent that has it', async () => {
    const one = await begun('number');
    const [another, neighbour] = [
      await begun('second-agent', { ...one.scope, agent_id: 'second-agent' }),
      await begun('number'),
    ];
    await taken('stamped', echoTo(one.scope));
    for (const { scope, session } of [one, another]) {
      expect(await stateOf(scope)).toBe('paused_by_operator');
      expect(await bodiesOf(scope, session)).toEqual(['anybody there?', 'I answer from my phone']);
    }
    expect(await stateOf(neighbour.scope)).toBe('agent_active');
    expect(await bodiesOf(neighbour.scope, neighbour.session)).toEqual(['anybody there?']);
    await taken('no_conversation', echoTo(newScope()));
  });

  it('is a line and no new pause while an operator has the conversation', async () => {
    const { scope, session } = await begun('held');
    await client.pause(scope, { reason: 'mine' });
    const before = await client.state(scope);
    await taken('stamped', echoTo(scope));
    expect(await client.state(scope)).toEqual(before);
    expect(await bodiesOf(scope, session)).toHaveLength(2);
  });

  it('does nothing twice, with the channel’s id or without', async () => {
    const { scope, session } = await begun('copies');
    const { outbound_message_id: _, ...withoutId } = echoTo(scope, { body: 'no id' });
    for (const echo of [echoTo(scope, { body: 'with an id' }), withoutId]) {
      await taken('stamped', echo);
      await client.resume(scope);
      await taken('copy', echo, echo);
      expect(await stateOf(scope)).toBe('agent_active');
    }
    await taken('stamped', { ...withoutId, timestamp_ms: AT_MS + 1 });
    expect(await bodiesOf(scope, session)).toEqual(['anybody there?', 'with an id', 'no id', 'no id']);
  });

  describe('changes nothing when Holdline sent it', () => {
    async function heldWithReply(agentId: string, body: string) {
      const { scope, session } = await begun(agentId);
      await client.pause(scope);
      await intervene(client, scope, { action: reply(scope, { body }), session_id: session });
      await client.resume(scope);
      const [message] = await channel.askedFor(scope.contact_id);
      return { scope, session, outboundId: message?.outbound_id ?? '' };
    }

    it('known by its own id, by the channel’s id of it, or by text and recipient of the last minute', async () => {
      const { scope, session, outboundId } = await heldWithReply('ours', ' Über 40 € ');
      await taken(
        'ours',
        echoTo(scope, { outbound_id: outboundId, body: 'as the channel shows it' }),
        echoTo(scope, { outbound_message_id: `wamid.${outboundId}`, body: 'as the channel shows it' }),
        echoTo(scope, { body: 'Über 40 €'.normalize('NFD') }),
      );
      expect(await stateOf(scope)).toBe('agent_active');
      expect(await bodiesOf(scope, session)).toHaveLength(2);
    });

    it('and an operator’s it is with another text, another recipient, or after that minute', async () => {
      const { scope, outboundId } = await heldWithReply('not-ours', 'the same words');
      const { scope: neighbour } = await begun('not-ours');
      await taken('stamped', echoTo(neighbour, { body: 'the same words' }));
      await taken('stamped', echoTo(scope, { body: 'the same words!' }));
      await client.resume(scope);
      await harness.database.query(
        'UPDATE outbounds SET settled_at_ms = settled_at_ms - 61000 WHERE outbound_id = $1',
        [outboundId],
      );
      await taken('stamped', echoTo(scope, { body: 'the same words' }));
      expect(await stateOf(scope)).toBe('paused_by_operator');
    });

    it('is an operator’s when the channel had refused to send the same words', async () => {
      const { scope } = await begun('refused');
      await client.pause(scope);
      channel.answer = () => ({ error: { reason: 'closed' } });
      await expect(intervene(client, scope)).rejects.toMatchObject({ error: { code: -32011 } });
      await taken('stamped', echoTo(scope, { body: reply(scope).body }));
    });

    it('before its acknowledgement, by its text', async () => {
      const { scope } = await begun('early');
      await client.pause(scope);
      let answer: (ack: object) => void = () => undefined;
      channel.answer = () => new Promise((resolve) => (answer = resolve));
      const sending = intervene(client, scope);
      await channel.askedFor(scope.contact_id);
      await taken('ours', echoTo(scope, { body: reply(scope).body }));
      answer({});
      await sending;
    });

    it('before its acknowledgement, by the channel’s id, which comes with that', async () => {
      const { scope, session } = await begun('early-id');
      await client.pause(scope);
      let answer: (ack: object) => void = () => undefined;
      channel.answer = () => new Promise((resolve) => (answer = resolve));
      const sending = intervene(client, scope, { session_id: session });
      await channel.askedFor(scope.contact_id);
      const before = await counted('ours');
      await channel.echo(echoTo(scope, { outbound_message_id: 'wamid.early', body: '*Good morning*' }));
      answer({ outbound_message_id: 'wamid.early' });
      await sending;
      await waitFor(async () => (await counted('ours')) === before + 1);
      expect(await bodiesOf(scope, session)).toEqual(['anybody there?', 'Good morning']);
    });
  });

  it('is redacted before it is stored', async () => {
    const { scope, session } = await begun('secret');
    await taken('stamped', echoTo(scope, { body: 'card 4111 1111 1111 1111' }));
    expect((await bodiesOf(scope, session))[1]).toMatch(/^card \[REDACTED:/);
    expect((await outboundsOf(harness.database, scope))[0]?.body).toMatch(/^card \[REDACTED:/);
  });

  it('that cannot be understood is counted and left alone', async () => {
    await taken(
      'not_understood',
      'no json',
      '',
      '[]',
      '{}',
      { to: '', body: 'x', timestamp_ms: 1 },
      'x'.repeat(400_000),
    );
  });

  it('only stamps when the pause is switched off', async () => {
    const quiet = await Harness.create();
    const booted = await quiet.boot({ env: { HOLDLINE_AUTO_PAUSE_ON_EXTERNAL_REPLY: 'off' } });
    const other = await quiet.connect();
    const scope = newScope('quiet');
    await other.publish(scope, 'anybody there?');
    const [turn] = await other.turnsOf(scope, 1);
    const fake = await FakeChannel.of(other.nc, scope);
    await fake.echo(echoTo(scope));
    await waitFor(async () => (await booted.metrics.registry.metrics()).includes('outcome="stamped"'));
    expect(await other.state(scope)).toEqual({ state: 'agent_active' });
    const lines = await other.transcript('quiet', turn?.kind === 'turn' ? turn.session_id : '');
    expect(lines.map(({ role }) => role)).toEqual(['user', 'assistant']);
    await quiet.close();
  });
});
