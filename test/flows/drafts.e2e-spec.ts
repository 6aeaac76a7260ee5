import { randomUUID } from 'node:crypto';

import type { Draft } from '#contracts/draft.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import type { Turn } from '#contracts/turn.js';

import { newScope, type TestClient } from '../harness/client.js';
import { FakeChannel } from '../harness/fake-channel.js';
import { Harness } from '../harness/harness.js';
import { answer } from './support/replies.js';
import { settled } from './support/settled.js';

const CARD = '4111 1111 1111 1111';
const SEND = 'nexo/admin/drafts/send';
const DISCARD = 'nexo/admin/drafts/discard';
const CLOSED = { error: { code: -32005, data: { reason: 'draft_closed' } } };

describe('a draft', () => {
  let harness: Harness;
  let client: TestClient;
  let bob: TestClient;
  let channel: FakeChannel;

  beforeAll(async () => {
    harness = await Harness.create();
    await harness.boot({ env: { HOLDLINE_CHANNEL_TIMEOUT_MS: '2000' } });
    client = await harness.connect('ann');
    bob = await harness.connect('bob');
    channel = await FakeChannel.of(client.nc, newScope());
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    channel.answer = () => ({});
  });

  /** A conversation that `ann` holds, with one draft of this text. */
  async function draftOf(
    agentId: string,
    body = 'as the agent has it',
  ): Promise<{ scope: ConversationScope; draft: Draft; turn: Turn }> {
    const scope = newScope(agentId);
    await client.publish(scope, 'hello');
    const [turn] = (await client.turnsOf(scope, 1)) as [Turn];
    await client.pause(scope);
    await answer(client, turn, { body });
    const [draft] = await draftsOf(scope);
    return { scope, draft: draft as Draft, turn };
  }

  const draftsOf = async (scope: ConversationScope) => (await client.call('nexo/admin/drafts/list', { scope })).drafts;
  const statusOf = async (scope: ConversationScope) => (await draftsOf(scope)).map(({ status }) => status);
  const askedOf = (scope: ConversationScope) => channel.asked.filter(({ to }) => to === scope.contact_id);
  const auditOf = (scope: ConversationScope) =>
    harness.database.query(
      `SELECT operator, method, outcome, changed, reason FROM audit_log
       WHERE method LIKE 'nexo/admin/drafts/%' AND scope::json ->> 'contact_id' = $1 ORDER BY id`,
      [scope.contact_id],
    );

  it('is sent by the operator as a reply of the operator’s', async () => {
    const { scope, draft, turn } = await draftOf('sent', `to ${CARD}`);
    const session_id = randomUUID();
    const ack = await client.call(SEND, { draft_id: draft.draft_id, session_id });
    expect(ack).toEqual({ changed: true, correlation_id: expect.any(String), transcript_stamped: true });
    expect(askedOf(scope)).toMatchObject([{ body: `to ${CARD}`, origin: 'operator', epoch: 1 }]);
    expect(await client.agentTranscript('sent', session_id)).toMatchObject([
      {
        role: 'assistant',
        body: 'to [REDACTED:card]',
        sender_id: 'operator:ann',
        source_plugin: 'intervention:whatsapp',
      },
    ]);
    expect(await draftsOf(scope)).toMatchObject([{ status: 'sent', action: { body: 'to [REDACTED:card]' } }]);
    expect(await client.state(scope)).toMatchObject({ state: 'paused_by_operator' });
    expect(await auditOf(scope)).toEqual([
      { operator: 'ann', method: SEND, outcome: 'ok', changed: true, reason: null },
    ]);
    await client.resume(scope);
    await settled(harness, client);
    expect(await client.turns(scope)).toHaveLength(2);
    expect(await answer(client, turn, { body: `to ${CARD}` })).toMatchObject({ draft_id: draft.draft_id });
  });

  it('is sent in the operator’s words where there are any, and not stamped without a session', async () => {
    const { scope, draft } = await draftOf('edited');
    const ack = await client.call(SEND, { draft_id: draft.draft_id, body: 'in other words' });
    expect(ack).toMatchObject({ changed: true, transcript_stamped: false });
    expect(askedOf(scope).map(({ body }) => body)).toEqual(['in other words']);
    expect(await draftsOf(scope)).toMatchObject([{ status: 'sent', action: { body: 'as the agent has it' } }]);
  });

  it('is sent once, however many send it at once, and discarded once', async () => {
    const { scope, draft } = await draftOf('once');
    const { draft_id } = draft;
    const tries = Array.from({ length: 6 }, () => client.call(SEND, { draft_id }));
    const settledTries = await Promise.allSettled([...tries, client.call(DISCARD, { draft_id })]);
    expect(settledTries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of settledTries) if (each.status === 'rejected') expect(each.reason).toMatchObject(CLOSED);
    expect(askedOf(scope).length).toBeLessThanOrEqual(1);
    await expect(client.call(SEND, { draft_id })).rejects.toMatchObject(CLOSED);
    await expect(client.call(DISCARD, { draft_id })).rejects.toMatchObject(CLOSED);
  });

  it('is closed to others while the channel is asked', async () => {
    const { scope, draft } = await draftOf('under-way');
    let respond: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      channel.answer = () =>
        new Promise((done) => {
          respond = () => done({});
          resolve();
        });
    });
    const sending = client.call(SEND, { draft_id: draft.draft_id });
    await asked;
    await expect(client.call(SEND, { draft_id: draft.draft_id })).rejects.toMatchObject(CLOSED);
    await expect(client.call(DISCARD, { draft_id: draft.draft_id })).rejects.toMatchObject(CLOSED);
    respond();
    await expect(sending).resolves.toMatchObject({ changed: true });
    expect(askedOf(scope)).toHaveLength(1);
  });

  it('stays open when the channel refuses it, and can be sent again', async () => {
    const { scope, draft } = await draftOf('refused', `to ${CARD}`);
    channel.answer = () => ({ error: { reason: 'blocked' } });
    const refused = client.call(SEND, { draft_id: draft.draft_id });
    await expect(refused).rejects.toMatchObject({ error: { data: { reason: 'channel_rejected' } } });
    expect(await draftsOf(scope)).toMatchObject([{ status: 'open', action: { body: `to ${CARD}` } }]);
    channel.answer = () => ({});
    await expect(client.call(SEND, { draft_id: draft.draft_id })).resolves.toMatchObject({ changed: true });
    expect(askedOf(scope).map(({ body }) => body)).toEqual([`to ${CARD}`, `to ${CARD}`]);
  });

  it('stays open when nobody serves the channel', async () => {
    const { scope, draft } = await draftOf('nobody');
    await channel.leave();
    const refused = client.call(SEND, { draft_id: draft.draft_id });
    await expect(refused).rejects.toMatchObject({ error: { data: { reason: 'channel_unavailable' } } });
    await channel.listen();
    expect(await statusOf(scope)).toEqual(['open']);
    await expect(client.call(SEND, { draft_id: draft.draft_id })).resolves.toMatchObject({ changed: true });
  });

  it('is closed when it is not known whether it was sent', async () => {
    const { scope, draft } = await draftOf('unknown');
    channel.answer = () => 'silence';
    const sending = client.call(SEND, { draft_id: draft.draft_id });
    await expect(sending).rejects.toMatchObject({ error: { data: { reason: 'channel_timeout' } } });
    expect(await statusOf(scope)).toEqual(['sent']);
    await expect(client.call(SEND, { draft_id: draft.draft_id })).rejects.toMatchObject(CLOSED);
    expect(askedOf(scope)).toHaveLength(1);
  });

  it('is sent only by the holder of a conversation that is paused', async () => {
    const { scope, draft } = await draftOf('holder');
    const { draft_id } = draft;
    await expect(bob.call(SEND, { draft_id })).rejects.toMatchObject({
      error: { code: -32005, data: { reason: 'held_by_other_operator' } },
    });
    await client.resume(scope);
    await expect(client.call(SEND, { draft_id })).rejects.toMatchObject({
      error: { code: -32602, data: { reason: 'scope_not_paused' } },
    });
    expect(askedOf(scope)).toEqual([]);
    expect(await statusOf(scope)).toEqual(['open']);
    await bob.pause(scope);
    await expect(bob.call(SEND, { draft_id })).resolves.toMatchObject({ changed: true });
    expect((await auditOf(scope)).map((row) => row['reason'])).toContain(null);
  });

  it('is discarded without its secrets', async () => {
    const { scope, draft } = await draftOf('discarded', `to ${CARD}`);
    const discarded = await client.call(DISCARD, { draft_id: draft.draft_id });
    expect(discarded).toEqual({ changed: true, correlation_id: expect.any(String) });
    expect(await draftsOf(scope)).toMatchObject([{ status: 'discarded', action: { body: 'to [REDACTED:card]' } }]);
    await expect(client.call(SEND, { draft_id: draft.draft_id })).rejects.toMatchObject(CLOSED);
    expect(await auditOf(scope)).toMatchObject([{ method: DISCARD, outcome: 'ok', changed: true }]);
  });

  it('is not found under an id that there is not', async () => {
    for (const method of [SEND, DISCARD] as const) {
      const refused = client.call(method, { draft_id: randomUUID() });
      await expect(refused).rejects.toMatchObject({ error: { code: -32006, data: { reason: 'unknown_draft' } } });
    }
  });

  it('is refused without a text', async () => {
    const { draft } = await draftOf('empty');
    const refused = client.call(SEND, { draft_id: draft.draft_id, body: '' });
    await expect(refused).rejects.toMatchObject({ error: { code: -32602, data: { reason: 'invalid_params' } } });
  });

  it('is listed with those of its conversation or with all, newest first', async () => {
    const one = await draftOf('listed');
    const other = await draftOf('listed');
    await answer(client, one.turn, { body: 'another' });
    expect((await draftsOf(one.scope)).map(({ action }) => action.body)).toEqual(['another', 'as the agent has it']);
    const all = await client.call('nexo/admin/drafts/list', {});
    expect(all.drafts.slice(0, 3).map(({ scope }) => scope)).toEqual([one.scope, other.scope, one.scope]);
    const reserved = client.call('nexo/admin/drafts/list', { scope: { kind: 'agent', agent_id: 'listed' } });
    await expect(reserved).rejects.toMatchObject({ error: { code: -32601, data: { reason: 'not_implemented' } } });
  });

  it('comes in answers that the broker can carry, however large the drafts', async () => {
    const { scope, turn } = await draftOf('large');
    for (let line = 0; line < 8; line += 1) await answer(client, turn, { body: `${line} `.padEnd(200_000, 'x') });
    const drafts = await draftsOf(scope);
    expect(drafts.length).toBeGreaterThan(1);
    expect(drafts[0]?.action.body).toMatch(/^7 /);
    expect(Buffer.byteLength(JSON.stringify(drafts))).toBeLessThan(1024 ** 2);
  });
});
