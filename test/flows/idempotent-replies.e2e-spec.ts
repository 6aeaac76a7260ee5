import { randomUUID } from 'node:crypto';

import { conversationId } from '#domain/conversation/conversation-id.js';

import { newScope, type TestClient } from '../harness/client.js';
import { FakeChannel } from '../harness/fake-channel.js';
import { Harness } from '../harness/harness.js';
import { auditedReplies, intervene, reply } from './support/replies.js';

const OPERATOR = '0a1b2c3d4e5f6071';

describe('a reply with an idempotency key', () => {
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

  it('is sent once however often and at once it is asked for, and each is told the first outcome', async () => {
    const scope = newScope('double-click');
    const params = { session_id: randomUUID(), idempotency_key: 'click' };
    await client.pause(scope);
    let answer: (ack: object) => void = () => undefined;
    channel.answer = () => new Promise((resolve) => (answer = resolve));
    const clicks = Array.from({ length: 5 }, () => intervene(client, scope, params));
    await channel.askedFor(scope.contact_id);
    answer({ outbound_message_id: 'wamid.1' });
    const acks = await Promise.all(clicks);
    acks.push(await intervene(client, scope, params));
    expect(acks).toEqual(acks.map(() => expect.objectContaining({ changed: true, transcript_stamped: true })));
    expect(channel.asked.filter(({ to }) => to === scope.contact_id)).toHaveLength(1);
    expect(await client.transcript('double-click', params.session_id)).toHaveLength(1);
    const rows = await auditedReplies(harness.database, scope);
    expect(rows.filter((row) => row['changed'] === true)).toHaveLength(1);
    expect(rows).toHaveLength(6);
  });

  it('is not sent again after a refusal, nor after the conversation was handed back', async () => {
    const scope = newScope();
    await client.pause(scope);
    await intervene(client, scope, { idempotency_key: 'sent' });
    channel.answer = () => ({ error: { reason: 'closed' } });
    const rejected = { error: { code: -32011, data: { detail: 'closed' } } };
    await expect(intervene(client, scope, { idempotency_key: 'refused' })).rejects.toMatchObject(rejected);
    channel.answer = () => ({});
    await expect(intervene(client, scope, { idempotency_key: 'refused' })).rejects.toMatchObject(rejected);
    await client.resume(scope);
    expect(await intervene(client, scope, { idempotency_key: 'sent' })).toMatchObject({ changed: true });
    expect(channel.asked.filter(({ to }) => to === scope.contact_id)).toHaveLength(2);
  });

  it('belongs to one action, one operator and one conversation, for 24 hours', async () => {
    const [scope, elsewhere] = [newScope(), newScope()];
    await client.pause(scope);
    await client.pause(elsewhere);
    const key = { idempotency_key: 'shared' };
    const action = reply(scope, { attachments: [{ a: 1, b: 2 }] });
    await intervene(client, scope, { ...key, action });
    await intervene(client, scope, { ...key, action: reply(scope, { attachments: [{ b: 2, a: 1 }] }) });
    await intervene(client, elsewhere, key);
    await expect(intervene(client, scope, { ...key, action: { ...action, body: 'another' } })).rejects.toMatchObject({
      error: { code: -32005, data: { reason: 'idempotency_key_reused' } },
    });
    await other.pause(scope, { take_over: true });
    await intervene(other, scope, { ...key, action: { ...action, body: 'of another operator' } });
    expect(channel.asked.filter(({ to }) => to === scope.contact_id)).toHaveLength(2);

    await client.pause(scope, { take_over: true });
    await harness.database.query(
      `UPDATE outbounds SET created_at_ms = created_at_ms - 24 * 3600 * 1000 WHERE conversation_id = $1`,
      [conversationId(scope)],
    );
    await intervene(client, scope, { ...key, action: { ...action, body: 'another' } });
    expect((await channel.askedFor(scope.contact_id, 3)).at(-1)?.body).toBe('another');
  });
});
