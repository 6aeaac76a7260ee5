import { randomUUID } from 'node:crypto';

import { newScope, type TestClient } from '../harness/client.js';
import { FakeChannel } from '../harness/fake-channel.js';
import { Harness } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';
import { auditedReplies, intervene, outboundsOf, reply } from './support/replies.js';
import { settled } from './support/settled.js';

const OPERATOR = '0a1b2c3d4e5f6071';

describe('an operator’s reply', () => {
  let harness: Harness;
  let client: TestClient;
  let other: TestClient;
  let channel: FakeChannel;

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot();
    client = await harness.connect(OPERATOR);
    other = await harness.connect('9999999999999999');
    channel = await FakeChannel.of(client.nc, newScope());
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    channel.answer = ({ outbound_id }) => ({ outbound_message_id: `wamid.${outbound_id}` });
  });

  it('reaches the channel once, is stamped, and changes nothing else', async () => {
    const scope = newScope('stamped');
    const session = randomUUID();
    await client.pause(scope);
    const stateBefore = await client.state(scope);
    const action = reply(scope, {
      body: 'Here it is',
      msg_kind: 'media',
      attachments: [{ url: 'https://x.test/a.png' }],
      reply_to_msg_id: 'wamid.7',
    });
    const ack = await intervene(client, scope, { action, session_id: session });
    expect(ack).toEqual({ changed: true, correlation_id: expect.any(String), transcript_stamped: true });

    const { kind: _, ...asked } = action;
    const [message, ...more] = await channel.askedFor(scope.contact_id);
    expect(message).toEqual({ ...asked, outbound_id: expect.any(String), scope, origin: 'operator', epoch: 1 });
    expect(more).toEqual([]);
    const line = {
      session_id: session,
      seq: 0,
      role: 'assistant',
      body: 'Here it is',
      sender_id: `operator:${OPERATOR}`,
      source_plugin: 'intervention:whatsapp',
    };
    const [stamped] = await client.transcript('stamped', session);
    expect(stamped).toEqual(expect.objectContaining({ ...line, delivery: 'sent' }));
    await settled(harness, client);
    const events = await client.events('stamped');
    expect(events.map(({ kind }) => kind)).toEqual(['processing_state_changed', 'transcript_appended']);
    expect(events[1]).toMatchObject(line);
    expect(await client.state(scope)).toEqual(stateBefore);
    expect(await auditedReplies(harness.database, scope)).toEqual([{ outcome: 'ok', changed: true, reason: null }]);
  });

  it('is sent and not stamped without a session', async () => {
    const scope = newScope('unstamped');
    await client.pause(scope);
    expect(await intervene(client, scope)).toMatchObject({ changed: true, transcript_stamped: false });
    expect(await outboundsOf(harness.database, scope)).toMatchObject([{ status: 'sent', body: 'Good morning' }]);
    await settled(harness, client);
    expect(await client.events('unstamped', 'transcript_appended')).toEqual([]);
  });

  it('goes to the contact as written, while only its redacted text is kept', async () => {
    const scope = newScope('redacted');
    const session = randomUUID();
    await client.pause(scope);
    const body = 'the card is 4111 1111 1111 1111';
    await intervene(client, scope, {
      action: reply(scope, { body, attachments: [{ note: body }] }),
      session_id: session,
    });
    const [message] = await channel.askedFor(scope.contact_id);
    expect(message).toMatchObject({ body, attachments: [{ note: body }] });
    const [line] = await client.transcript('redacted', session);
    expect(line?.body).toMatch(/^the card is \[REDACTED:/);
    const tables = await harness.database.query(
      `SELECT FROM outbounds WHERE body LIKE '%4111%' OR attachments LIKE '%4111%'
       UNION ALL SELECT FROM entries WHERE body LIKE '%4111%' OR attachments LIKE '%4111%'`,
    );
    expect(tables).toEqual([]);
  });

  describe('is refused', () => {
    it('unless the conversation is paused', async () => {
      const [active, unknown] = [newScope(), newScope()];
      await client.publish(active, 'hello');
      await client.turnsOf(active, 1);
      const refusal = { error: { code: -32602, data: { reason: 'scope_not_paused' } } };
      for (const scope of [active, unknown]) {
        await expect(intervene(client, scope)).rejects.toMatchObject(refusal);
        await expect(intervene(client, scope, { action: reply(scope, { to: 'x' }) })).rejects.toMatchObject(refusal);
        expect(await outboundsOf(harness.database, scope)).toEqual([]);
      }
      expect(await auditedReplies(harness.database, active)).toEqual(
        Array.from({ length: 2 }, () => ({ outcome: 'refused', changed: false, reason: 'scope_not_paused' })),
      );
    });

    it.each([{ channel: 'sms' }, { account_id: '55-9999' }, { to: 'somebody else' }])(
      'to another target: %j',
      async (target) => {
        const scope = newScope();
        await client.pause(scope);
        await expect(intervene(client, scope, { action: reply(scope, target) })).rejects.toMatchObject({
          error: { code: -32602, data: { reason: 'target_mismatch', path: `action.${Object.keys(target)[0]}` } },
        });
        expect(await outboundsOf(harness.database, scope)).toEqual([]);
      },
    );

    it('to an operator who does not hold the conversation, until he takes it over', async () => {
      const scope = newScope();
      await client.pause(scope);
      await expect(intervene(other, scope, {})).rejects.toMatchObject({
        error: { code: -32005, data: { reason: 'held_by_other_operator', operator_token_hash: OPERATOR } },
      });
      expect(await outboundsOf(harness.database, scope)).toEqual([]);
      await other.pause(scope, { take_over: true });
      expect(await intervene(other, scope, {})).toMatchObject({ changed: true });
      await expect(intervene(client, scope)).rejects.toMatchObject({ error: { code: -32005 } });
    });

    it.each([
      [{ body: '' }, 'action.body'],
      [{ attachments: Array.from({ length: 21 }, () => 1) }, 'action.attachments'],
      [{ attachments: ['x'.repeat(140_000)] }, 'action.attachments'],
      [{ msg_kind: 'voice' as 'text' }, 'action.msg_kind'],
    ])('when it is no message that can be sent (%#)', async (wrong, path) => {
      const scope = newScope();
      await client.pause(scope);
      await expect(intervene(client, scope, { action: reply(scope, wrong) })).rejects.toMatchObject({
        error: { code: -32602, data: { reason: 'invalid_params', path } },
      });
    });

    it.each([
      { kind: 'skip_item', item_id: 'i', reason: 'r' },
      { kind: 'override_output', value: 1 },
      { kind: 'inject_input', content: {} },
      { kind: 'custom', action_kind: 'k', payload: null },
    ] as const)('as an action that is reserved: $kind', async (action) => {
      const scope = newScope();
      await expect(intervene(client, scope, { action })).rejects.toMatchObject({
        error: { code: -32601, data: { reason: 'not_implemented' } },
      });
    });
  });

  it('is from any operator when replies are not exclusive', async () => {
    const scope = { ...newScope(), account_id: '55-open' };
    const open = await Harness.create();
    await open.boot({ env: { HOLDLINE_EXCLUSIVE_REPLIES: 'off' } });
    const [holder, colleague] = [await open.connect('holder'), await open.connect('colleague')];
    await FakeChannel.of(holder.nc, scope);
    await holder.pause(scope);
    expect(await intervene(colleague, scope)).toMatchObject({ changed: true });
    await open.close();
  });

  it('makes the conversation the last active one', async () => {
    const [scope, later] = [newScope('activity'), newScope('activity')];
    await client.pause(scope);
    await client.pause(later);
    await waitFor(async () => {
      await intervene(client, scope);
      const { conversations } = await client.call('nexo/admin/conversations/list', { agent_id: 'activity' });
      return conversations[0]?.scope.kind === 'conversation' && conversations[0].scope.contact_id === scope.contact_id;
    });
  });
});
