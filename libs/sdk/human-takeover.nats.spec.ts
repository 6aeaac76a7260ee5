import { channelRejected, conflict, unavailable } from '#contracts/errors.js';
import type { ConversationScope } from '#contracts/processing-scope.js';

import { type StandIn, TestBroker } from '../../test/harness/broker.js';
import { ChannelRejected, Conflict } from './errors.js';
import { HumanTakeover } from './human-takeover.js';
import { OperatorClient } from './operator-client.js';

const scope: ConversationScope = {
  kind: 'conversation',
  agent_id: 'ana',
  channel: 'whatsapp',
  account_id: '55',
  contact_id: 'c.1@s.whatsapp.net',
};
const SESSION = '00000000-0000-4000-8000-00000000000a';
const ack = { changed: true, correlation_id: '00000000-0000-4000-8000-000000000001', epoch: 3 };
const listed = (contact_id: string, session_id = SESSION) => ({
  scope: { ...scope, contact_id },
  state: { state: 'agent_active' },
  epoch: 3,
  session_id,
  pending_depth: 0,
  dropped_total: 0,
  last_activity_ms: 1,
});

describe('HumanTakeover', () => {
  let broker: TestBroker;
  let operator: OperatorClient;
  const stops: (() => void)[] = [];

  beforeAll(async () => {
    broker = await TestBroker.start();
    operator = new OperatorClient({ nc: await broker.connect(), token: 'my-token', timeoutMs: 300 });
  });

  afterEach(() => stops.splice(0).forEach((stop) => stop()));

  afterAll(() => broker.close());

  const answer = async (method: Parameters<TestBroker['answer']>[0], standIn: StandIn) => {
    const { received, stop } = await broker.answer(method, standIn);
    stops.push(stop);
    return received;
  };
  const paused = (holder = operator.operatorTokenHash) => ({
    state: { state: 'paused_by_operator', scope, paused_at_ms: 1, operator_token_hash: holder },
  });

  test('engages, replies into the conversation’s session, and releases with a summary', async () => {
    const pauses = await answer('nexo/admin/processing/pause', () => ack);
    await answer('nexo/admin/processing/state', () => paused());
    const pages = [
      { conversations: [listed('another')], next_cursor: 'next' },
      { conversations: [listed(scope.contact_id)] },
    ];
    const lists = await answer('nexo/admin/conversations/list', () => pages.shift());
    const replies = await answer('nexo/admin/processing/intervention', () => ({ ...ack, transcript_stamped: true }));
    const resumes = await answer('nexo/admin/processing/resume', () => ({ ...ack, epoch: 4, drained_pending: 2 }));

    const takeover = await HumanTakeover.engage(operator, scope, { reason: 'I know her', autoResumeAfterMs: 60_000 });
    expect(pauses[0]?.params).toMatchObject({ scope, reason: 'I know her', auto_resume_after_ms: 60_000 });
    expect(takeover.epoch).toBe(3);

    expect(await takeover.sendReply('Hello Ada')).toMatchObject({ transcript_stamped: true });
    await takeover.sendReply({ body: 'a picture', msg_kind: 'media', attachments: [{ url: 'u' }] });
    expect(lists).toHaveLength(2);
    expect(replies[0]?.params).toMatchObject({
      scope,
      session_id: SESSION,
      action: {
        kind: 'reply',
        channel: 'whatsapp',
        account_id: '55',
        to: scope.contact_id,
        body: 'Hello Ada',
        msg_kind: 'text',
      },
    });
    expect(replies[1]?.params['action']).toMatchObject({ msg_kind: 'media', attachments: [{ url: 'u' }] });
    expect(replies[0]?.params['idempotency_key']).not.toBe(replies[1]?.params['idempotency_key']);

    expect(await takeover.release('told her')).toMatchObject({ drained_pending: 2 });
    expect(resumes[0]?.params).toMatchObject({ expected_epoch: 3, session_id: SESSION, summary_for_agent: 'told her' });
  });

  test('asks again, under the same key, when an answer is lost or Holdline is away for a moment', async () => {
    const outcomes = [{ error: unavailable('away').toJson() }, ack];
    const pauses = await answer('nexo/admin/processing/pause', () => outcomes.shift());
    await answer('nexo/admin/processing/state', () => paused());
    const takeover = await HumanTakeover.engage(operator, scope, { sessionId: SESSION });
    expect(pauses).toHaveLength(2);
    let asked = 0;
    const replies = await answer('nexo/admin/processing/intervention', () => (asked++ === 0 ? undefined : ack));
    await takeover.sendReply('Hello');
    expect(replies).toHaveLength(2);
    expect(replies[1]?.params).toEqual(replies[0]?.params);
  });

  test('does not take a conversation from another operator unless told so', async () => {
    const pauses = await answer('nexo/admin/processing/pause', () => ({ ...ack, changed: false }));
    await answer('nexo/admin/processing/state', () => paused('somebody-else'));
    const refused = await HumanTakeover.engage(operator, scope).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Conflict);
    expect(refused).toMatchObject({
      reason: 'held_by_other_operator',
      data: { operator_token_hash: 'somebody-else' },
    });
    expect(pauses[0]?.params).not.toHaveProperty('take_over');
    await HumanTakeover.engage(operator, scope, { takeOver: true }).catch(() => undefined);
    expect(pauses[1]?.params).toMatchObject({ take_over: true });
  });

  test('shares what an answer outside Holdline has paused', async () => {
    await answer('nexo/admin/processing/pause', () => ({ ...ack, changed: false }));
    await answer('nexo/admin/processing/state', () => paused('external'));
    expect((await HumanTakeover.engage(operator, scope)).epoch).toBe(3);
  });

  test('pauses again what was handed back in between, but not for ever', async () => {
    const pauses = await answer('nexo/admin/processing/pause', () => ack);
    await answer('nexo/admin/processing/state', () => ({ state: { state: 'agent_active' } }));
    await expect(HumanTakeover.engage(operator, scope)).rejects.toThrow('stale_epoch');
    expect(pauses).toHaveLength(3);
  });

  test('passes on what a channel refuses, and that a hold has ended', async () => {
    await answer('nexo/admin/processing/pause', () => ack);
    await answer('nexo/admin/processing/state', () => paused());
    const takeover = await HumanTakeover.engage(operator, scope, { sessionId: SESSION });
    const replies = await answer('nexo/admin/processing/intervention', () => ({
      error: channelRejected('blocked').toJson(),
    }));
    await expect(takeover.sendReply('Hello')).rejects.toThrow(ChannelRejected);
    expect(replies).toHaveLength(1);
    await answer('nexo/admin/processing/resume', () => ({ error: conflict('stale_epoch', 'gone').toJson() }));
    await expect(takeover.release()).rejects.toMatchObject({ reason: 'stale_epoch' });
  });
});
