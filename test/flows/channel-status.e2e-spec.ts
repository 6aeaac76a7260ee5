import { randomUUID } from 'node:crypto';

import type { ConversationScope } from '#contracts/processing-scope.js';

import { newScope, type TestClient } from '../harness/client.js';
import type { BootedConversations } from '../harness/conversations.js';
import { FakeChannel } from '../harness/fake-channel.js';
import { Harness } from '../harness/harness.js';
import { waitFor } from '../harness/wait-for.js';
import { intervene, outboundsOf } from './support/replies.js';
import { settled } from './support/settled.js';

const AT_MS = 1_700_000_000_000;

describe('what a channel reports of a message that it took', () => {
  let harness: Harness;
  let processes: BootedConversations[];
  let client: TestClient;
  let channel: FakeChannel;

  beforeAll(async () => {
    harness = await Harness.create();
    processes = [await harness.boot(), await harness.boot()];
    client = await harness.connect();
    channel = await FakeChannel.of(client.nc, newScope());
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    channel.answer = () => ({});
  });

  /** A reply that was sent: the conversation, its session and the reply's id. */
  async function sent(agentId: string) {
    const scope = newScope(agentId);
    const session = randomUUID();
    await client.pause(scope);
    await intervene(client, scope, { session_id: session });
    const [message] = await channel.askedFor(scope.contact_id);
    return { scope, session, outboundId: message?.outbound_id ?? '' };
  }
  const deliveryOf = async ({ scope, session }: { scope: ConversationScope; session: string }) => {
    const [line] = await client.transcript(scope.agent_id, session);
    return line?.delivery;
  };
  /** Reports of all processes together, by outcome. */
  async function counted(outcome: string): Promise<number> {
    const texts = await Promise.all(processes.map(({ metrics }) => metrics.registry.metrics()));
    const figure = new RegExp(`^holdline_channel_reports_total\\{kind="status",outcome="${outcome}"\\} (\\d+)`, 'm');
    return texts.reduce((sum, text) => sum + Number(figure.exec(text)?.[1] ?? 0), 0);
  }
  const untilCounted = (outcome: string, count: number) => waitFor(async () => (await counted(outcome)) >= count);
  const report = (outboundId: string, status: string, more: object = {}) =>
    channel.status({ outbound_id: outboundId, status, at_ms: AT_MS, ...more });

  it('is kept with the message and with its line', async () => {
    const reply = await sent('kept');
    expect(await deliveryOf(reply)).toBe('sent');
    for (const status of ['delivered', 'read']) {
      await report(reply.outboundId, status);
      await waitFor(async () => (await deliveryOf(reply)) === status);
      expect(await outboundsOf(harness.database, reply.scope)).toMatchObject([{ status: 'sent', delivery: status }]);
    }
    await settled(harness, client);
    expect(await client.events('kept', 'outbound_failed')).toEqual([]);
  });

  it('does not undo what is known when it comes late', async () => {
    const reply = await sent('late');
    const before = await counted('nothing_new');
    await report(reply.outboundId, 'read');
    await waitFor(async () => (await deliveryOf(reply)) === 'read');
    for (const status of ['delivered', 'failed', 'read']) await report(reply.outboundId, status);
    await untilCounted('nothing_new', before + 3);
    expect(await deliveryOf(reply)).toBe('read');
    await settled(harness, client);
    expect(await client.events('late', 'outbound_failed')).toEqual([]);
  });

  it('is told to everybody when the message has failed, once', async () => {
    const reply = await sent('failed');
    const before = await counted('nothing_new');
    const detail = 'blocked, see 4111 1111 1111 1111';
    for (let copies = 0; copies < 4; copies += 1) await report(reply.outboundId, 'failed', { detail });
    await untilCounted('nothing_new', before + 3);
    expect(await deliveryOf(reply)).toBe('failed');
    await settled(harness, client);
    const told = {
      kind: 'outbound_failed',
      agent_id: 'failed',
      scope: reply.scope,
      outbound_id: reply.outboundId,
      origin: 'operator',
      reason: 'failed',
      detail: expect.stringMatching(/^blocked, see \[REDACTED:/) as string,
    };
    expect(await client.events('failed', 'outbound_failed')).toEqual([expect.objectContaining(told)]);
    const { events } = await client.call('nexo/admin/agent_events/list', {
      agent_id: 'failed',
      kind: 'outbound_failed',
    });
    expect(events).toEqual([expect.objectContaining(told)]);
  });

  it('counts when it comes before the channel’s answer, and when that never comes', async () => {
    const scope = newScope('early');
    const session = randomUUID();
    await client.pause(scope);
    let answer: (ack: object) => void = () => undefined;
    channel.answer = () => new Promise((resolve) => (answer = resolve));
    const sending = intervene(client, scope, { session_id: session });
    const [message] = await channel.askedFor(scope.contact_id);
    await report(message?.outbound_id ?? '', 'delivered');
    await waitFor(async () => (await outboundsOf(harness.database, scope))[0]?.delivery === 'delivered');
    answer({});
    expect(await sending).toMatchObject({ transcript_stamped: true });
    expect(await deliveryOf({ scope, session })).toBe('delivered');

    channel.answer = () => 'what?';
    await expect(intervene(client, scope, { session_id: session })).rejects.toMatchObject({ error: { code: -32012 } });
    const [, unknown] = await channel.askedFor(scope.contact_id, 2);
    await report(unknown?.outbound_id ?? '', 'delivered');
    await waitFor(async () => (await outboundsOf(harness.database, scope))[1]?.delivery === 'delivered');
    expect(await outboundsOf(harness.database, scope)).toMatchObject([{}, { status: 'unknown' }]);
  });

  it('is counted and left alone when it is of no message of that account, or cannot be understood', async () => {
    const reply = await sent('hostile');
    const before = { unknown: await counted('unknown'), notUnderstood: await counted('not_understood') };
    const elsewhere = await FakeChannel.of(client.nc, { ...newScope(), account_id: 'of somebody else' });
    await elsewhere.status({ outbound_id: reply.outboundId, status: 'read', at_ms: AT_MS });
    await report(randomUUID(), 'read');
    const hostile = [
      'not json',
      '',
      '[]',
      'null',
      '{}',
      `"${'x'.repeat(500_000)}"`,
      { outbound_id: 'no uuid', status: 'read', at_ms: AT_MS },
      { outbound_id: reply.outboundId, status: 'lost', at_ms: AT_MS },
      { outbound_id: reply.outboundId, status: 'read', at_ms: -1 },
      { outbound_id: reply.outboundId, status: 'read', at_ms: AT_MS, detail: 7 },
    ];
    for (const each of hostile) await channel.status(each);
    await untilCounted('unknown', before.unknown + 2);
    await untilCounted('not_understood', before.notUnderstood + hostile.length);
    expect(await deliveryOf(reply)).toBe('sent');

    await report(reply.outboundId, 'read', { detail: 'a\u0000b' });
    await waitFor(async () => (await deliveryOf(reply)) === 'read');
  });

  it('is taken by one of two processes, and survives that the database is away', async () => {
    const reply = await sent('one-of-two');
    const before = await counted('recorded');
    await harness.database.cutOff();
    await report(reply.outboundId, 'delivered');
    await waitFor(() => processes.some(({ logs }) => logs.some(({ msg }) => msg.startsWith('a report of a channel'))));
    await harness.database.bringBack();
    await waitFor(async () => (await deliveryOf(reply)) === 'delivered');
    expect(await counted('recorded')).toBe(before + 1);
  });
});
