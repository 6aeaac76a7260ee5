import { setTimeout as delay } from 'node:timers/promises';

import type { AgentReplyResult } from '#contracts/agent-reply.js';
import type { OutboundMessage } from '#contracts/outbound-message.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import type { Turn } from '#contracts/turn.js';

import { newScope, type TestClient } from '../harness/client.js';
import { FakeChannel } from '../harness/fake-channel.js';
import { Harness } from '../harness/harness.js';
import { HeldRow } from './support/held-row.js';
import { answer, outboundsOf } from './support/replies.js';
import { settled } from './support/settled.js';

const ROUNDS = 6;
const RACES = 4;
const REPLIES = 3;

describe('a reply of the agent that is on its way when a pause comes', () => {
  let harness: Harness;
  let client: TestClient;
  let channel: FakeChannel;

  beforeAll(async () => {
    harness = await Harness.create();
    await Promise.all([harness.boot(), harness.boot()]);
    client = await harness.connect();
    channel = await FakeChannel.of(client.nc, newScope());
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    channel.answer = () => ({});
  });

  async function ask(scope: ConversationScope): Promise<Turn> {
    await client.publish(scope, 'hello');
    return (await client.turnsOf(scope, 1))[0] as Turn;
  }

  const askedOf = (scope: ConversationScope) => channel.asked.filter(({ to }) => to === scope.contact_id);
  const draftsOf = async (scope: ConversationScope) => (await client.call('nexo/admin/drafts/list', { scope })).drafts;

  /** Has the channel take its time for one contact; `respond` lets it answer. */
  function slowFor(scope: ConversationScope): { asked: Promise<OutboundMessage>; respond: () => void } {
    let respond: () => void = () => undefined;
    const asked = new Promise<OutboundMessage>((resolve) => {
      channel.answer = (message) => {
        if (message.to !== scope.contact_id) return {};
        resolve(message);
        return new Promise((done) => {
          respond = () => done({});
        });
      };
    });
    return { asked, respond: () => respond() };
  }

  it('was handed to the channel before the ack or is a draft, whoever wins', async () => {
    channel.answer = async () => {
      await delay(Math.random() * 30);
      return {};
    };
    const race = async () => {
      const scope = newScope('race');
      const turn = await ask(scope);
      const replies = Array.from({ length: REPLIES }, async (_, line): Promise<AgentReplyResult> => {
        await delay(Math.random() * 15);
        return answer(client, turn, { body: `answer ${line}` });
      });
      await delay(Math.random() * 15);
      await client.pause(scope);
      const askedAtAck = askedOf(scope).map(({ body }) => body);
      const outcomes = await Promise.all(replies);
      const drafts = await draftsOf(scope);
      expect(askedOf(scope).map(({ body }) => body)).toEqual(askedAtAck);
      outcomes.forEach((outcome, line) => {
        const body = `answer ${line}`;
        expect(askedAtAck.filter((each) => each === body)).toHaveLength(outcome.status === 'sent' ? 1 : 0);
        const kept = drafts
          .filter(({ action }) => action.body === body)
          .map(({ draft_id, status }) => [draft_id, status]);
        expect(kept).toEqual(outcome.status === 'sent' ? [] : [[outcome.draft_id, 'open']]);
      });
      return outcomes;
    };
    const outcomes: AgentReplyResult[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      outcomes.push(...(await Promise.all(Array.from({ length: RACES }, race))).flat());
    }
    await settled(harness, client);
    const suppressed = outcomes.filter(({ status }) => status === 'suppressed');
    expect(await client.events('race', 'agent_reply_suppressed')).toHaveLength(suppressed.length);
  }, 60_000);

  it('is a draft if the pause has the conversation first', async () => {
    const scope = newScope('pause-first');
    const turn = await ask(scope);
    const row = await HeldRow.of(harness.database, scope);
    const pausing = client.pause(scope);
    await row.untilWaitedFor(1);
    const replying = answer(client, turn);
    await row.untilWaitedFor(2);
    await row.release();
    await pausing;
    await expect(replying).resolves.toMatchObject({ status: 'suppressed', reason: 'paused' });
    expect(askedOf(scope)).toEqual([]);
  });

  it('is called back if it was committed and not handed over', async () => {
    const scope = newScope('called-back');
    const turn = await ask(scope);
    // As it stands while its process does nothing between the commit and the hand-over.
    channel.answer = () => 'silence';
    await channel.leave();
    await expect(answer(client, turn)).rejects.toMatchObject({ error: { data: { reason: 'channel_unavailable' } } });
    await channel.listen();
    const [row] = await outboundsOf(harness.database, scope);
    await harness.database.query(
      `UPDATE outbounds SET status = 'sending', body = 'Good morning', expires_at_ms = 9e15 WHERE outbound_id = $1`,
      [row?.outbound_id],
    );
    await client.pause(scope);
    const [draft, ...others] = await draftsOf(scope);
    expect(others).toEqual([]);
    expect(draft).toMatchObject({
      status: 'open',
      reason: 'paused',
      turn_id: turn.turn_id,
      action: { body: 'Good morning' },
    });
    await expect(answer(client, turn)).resolves.toEqual({
      status: 'suppressed',
      reason: 'paused',
      draft_id: draft?.draft_id,
    });
    expect(await outboundsOf(harness.database, scope)).toMatchObject([{ status: 'recalled', body: '' }]);
    await settled(harness, client);
    expect(await client.events('called-back', 'agent_reply_suppressed')).toHaveLength(1);
    expect(askedOf(scope)).toEqual([]);
    channel.answer = () => ({});
    await client.call('nexo/admin/drafts/send', { draft_id: draft?.draft_id ?? '' });
    expect(askedOf(scope).map(({ body }) => body)).toEqual(['Good morning']);
  });

  it('is said if it waits for the outbox before the pause does', async () => {
    const scope = newScope('reply-first');
    const turn = await ask(scope);
    const outbox = await HeldRow.ofOutbox(harness.database, scope);
    const replying = answer(client, turn);
    await outbox.untilWaitedFor(1);
    const pausing = client.pause(scope);
    await outbox.untilWaitedFor(2);
    expect(askedOf(scope)).toEqual([]);
    await outbox.release();
    await pausing;
    expect(askedOf(scope)).toHaveLength(1);
    await expect(replying).resolves.toMatchObject({ status: 'sent' });
    expect(await draftsOf(scope)).toEqual([]);
  });

  it('is said if the channel has it, and the pause does not wait for the channel’s answer', async () => {
    const scope = newScope('slow-channel');
    const turn = await ask(scope);
    const slow = slowFor(scope);
    let isAnswered = false;
    const replying = answer(client, turn).finally(() => {
      isAnswered = true;
    });
    await slow.asked;
    await expect(client.pause(scope)).resolves.toMatchObject({ changed: true });
    expect(isAnswered).toBe(false);
    slow.respond();
    await expect(replying).resolves.toEqual({ status: 'sent' });
    expect(await draftsOf(scope)).toEqual([]);
    expect(await client.agentTranscript('slow-channel', turn.session_id)).toMatchObject([
      { role: 'user' },
      { role: 'assistant', delivery: 'sent' },
    ]);
    await client.resume(scope);
    await settled(harness, client);
    expect(await client.turns(scope)).toHaveLength(2);
  });

  it('is said and stamped though the pause comes between the channel’s answer and its record', async () => {
    const scope = newScope('unrecorded');
    const turn = await ask(scope);
    const slow = slowFor(scope);
    const replying = answer(client, turn);
    await slow.asked;
    const row = await HeldRow.of(harness.database, scope);
    const pausing = client.pause(scope);
    await row.untilWaitedFor(1);
    slow.respond();
    await row.untilWaitedFor(2);
    await row.release();
    await pausing;
    await expect(replying).resolves.toEqual({ status: 'sent' });
    expect(await client.agentTranscript('unrecorded', turn.session_id)).toHaveLength(2);
    expect(await draftsOf(scope)).toEqual([]);
  });

  it('is said during a hold and a resume, and its turn is not asked again once it is known', async () => {
    const scope = newScope('across');
    const turn = await ask(scope);
    const slow = slowFor(scope);
    const replying = answer(client, turn);
    await slow.asked;
    await client.pause(scope);
    slow.respond();
    await replying;
    await client.resume(scope);
    await client.pause(scope);
    await client.resume(scope);
    await settled(harness, client);
    expect((await client.turns(scope)).map(({ kind }) => kind)).toEqual(['turn', 'hold', 'hold']);
  });
});
