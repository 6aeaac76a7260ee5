import { randomUUID } from 'node:crypto';

import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';

import { ChannelEcho } from '#contracts/channel-echo.js';
import { ChannelStatus } from '#contracts/channel-status.js';
import { InboundMessage } from '#contracts/inbound-message.js';
import type { OutboundMessage } from '#contracts/outbound-message.js';
import { channelSendSubject, STREAM_SUBJECTS, STREAMS } from '#contracts/subjects.js';

import { TestBroker } from '../../test/harness/broker.js';
import { waitFor } from '../../test/harness/wait-for.js';
import { ChannelPlugin, SendRefused } from './channel-plugin.js';

const ada = { agentId: 'ana', contactId: 'ada@s.whatsapp.net' };

describe('ChannelPlugin', () => {
  let broker: TestBroker;
  let nc: NatsConnection;
  let outside: NatsConnection;
  let jsm: JetStreamManager;
  let plugin: ChannelPlugin;
  let problems: string[];

  beforeAll(async () => {
    broker = await TestBroker.start();
    [nc, outside] = await Promise.all([broker.connect(), broker.connect()]);
    jsm = await jetstreamManager(outside);
  });

  beforeEach(async () => {
    await jsm.streams.purge(STREAMS.inbound);
    problems = [];
    plugin = new ChannelPlugin({
      nc,
      channel: 'whatsapp',
      accountId: '55.1',
      onProblem: (what) => void problems.push(what),
    });
  });

  afterEach(() => plugin.stop());

  afterAll(() => broker.close());

  const lastInbound = async () => {
    const { state } = await jsm.streams.info(STREAMS.inbound);
    return (await jsm.streams.getMessage(STREAMS.inbound, { seq: state.last_seq }))!;
  };
  const message = (): OutboundMessage => ({
    outbound_id: randomUUID(),
    scope: {
      kind: 'conversation',
      agent_id: 'ana',
      channel: 'whatsapp',
      account_id: '55.1',
      contact_id: ada.contactId,
    },
    channel: 'whatsapp',
    account_id: '55.1',
    to: ada.contactId,
    body: 'Hello',
    msg_kind: 'text',
    origin: 'agent',
    epoch: 0,
  });
  const ask = async (payload: unknown, timeout = 1_000) =>
    (
      await outside.request(channelSendSubject('whatsapp', '55.1'), JSON.stringify(payload), { timeout })
    ).json<unknown>();

  test('publishes what a contact writes as the contract has it', async () => {
    await plugin.publishInbound({ ...ada, body: 'Hello?', timestampMs: 7 });
    const stored = await lastInbound();
    const inbound = InboundMessage.parse(stored.json());
    expect(stored.subject).toBe('nexo.inbound.ana.whatsapp.55%2E1.ada@s%2Ewhatsapp%2Enet');
    expect(stored.header.get('Nats-Msg-Id')).toBe(inbound.inbound.message_id);
    expect(inbound).toMatchObject({
      scope: { agent_id: 'ana', channel: 'whatsapp', account_id: '55.1', contact_id: ada.contactId },
      inbound: { body: 'Hello?', timestamp_ms: 7, from_contact_id: ada.contactId, source_plugin: 'whatsapp' },
    });
  });

  test('gives a provider’s id as the message id of the stream, and a copy is one', async () => {
    const first = await plugin.publishInbound({ ...ada, body: 'once', providerId: 'wamid.1' });
    const copy = await plugin.publishInbound({ ...ada, body: 'once', providerId: 'wamid.1' });
    expect([first.duplicate, copy.duplicate]).toEqual([false, true]);
    const stored = await lastInbound();
    expect(stored.header.get('Nats-Msg-Id')).toBe('wamid.1');
    expect(stored.json<InboundMessage>().inbound).not.toHaveProperty('message_id');
  });

  test('publishes again until there is a stream that takes it', async () => {
    const { config } = await jsm.streams.info(STREAMS.inbound);
    await jsm.streams.delete(STREAMS.inbound);
    const published = plugin.publishInbound({ ...ada, body: 'patience' });
    await expect(plugin.publishInbound({ ...ada, body: 'no patience' }, { forMs: 0 })).rejects.toThrow();
    await jsm.streams.add({ ...config, subjects: [...STREAM_SUBJECTS.inbound] });
    await published;
    expect((await lastInbound()).json<InboundMessage>().inbound.body).toBe('patience');
  });

  test('refuses at once what Holdline would quarantine', async () => {
    await expect(plugin.publishInbound({ ...ada, body: '' })).rejects.toThrow('inbound.body');
    await expect(plugin.publishInbound({ ...ada, body: 'x'.repeat(300_000) })).rejects.toThrow(RangeError);
  });

  test('sends a message once however often it is asked, also while the first is under way', async () => {
    const sent: string[] = [];
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    await plugin.onSend(async ({ outbound_id }) => {
      sent.push(outbound_id);
      await gate;
      return `id of ${outbound_id}`;
    });
    const asked = message();
    const answers = [ask(asked), ask(asked)];
    await waitFor(() => sent.length > 0);
    release();
    const expected = { outbound_message_id: `id of ${asked.outbound_id}` };
    expect(await Promise.all([...answers, ask(asked)])).toEqual([expected, expected, expected]);
    expect(sent).toEqual([asked.outbound_id]);
  });

  test('says that it refused, and keeps to it', async () => {
    let asked = 0;
    await plugin.onSend(() => {
      asked += 1;
      throw new SendRefused('outside_window', '25 hours are too many');
    });
    const refused = { error: { reason: 'outside_window', detail: '25 hours are too many' } };
    const one = message();
    expect([await ask(one), await ask(one)]).toEqual([refused, refused]);
    expect(asked).toBe(1);
  });

  test('answers nothing when nobody knows whether a message was sent', async () => {
    await plugin.onSend(() => Promise.reject(new Error('the line went dead')));
    await expect(ask(message(), 300)).rejects.toThrow('timeout');
    expect(problems).toEqual(['it is not known whether a message was sent']);
  });

  test('refuses what is no message, and acknowledges without an id', async () => {
    await plugin.onSend(() => undefined);
    expect(await ask({ body: 'to nobody' })).toEqual({ error: { reason: 'not_understood' } });
    expect(await ask(message())).toEqual({});
  });

  test('several processes of an account share its messages', async () => {
    const other = new ChannelPlugin({ nc: outside, channel: 'whatsapp', accountId: '55.1' });
    let sent = 0;
    for (const each of [plugin, other]) await each.onSend(() => void (sent += 1));
    for (let count = 0; count < 10; count++) await ask(message());
    expect(sent).toBe(10);
    await other.stop();
  });

  test('tells what became of a message, and what left the account', async () => {
    const heard: unknown[] = [];
    const subscription = outside.subscribe('nexo.channel.whatsapp.55%2E1.*', {
      callback: (_error, each) => void heard.push(each.json()),
    });
    await outside.flush();
    const outboundId = randomUUID();
    await plugin.status(outboundId, 'failed', 'blocked');
    await plugin.echo({ to: ada.contactId, body: 'from the phone' });
    await waitFor(() => heard.length === 2);
    expect(ChannelStatus.parse(heard[0])).toMatchObject({
      outbound_id: outboundId,
      status: 'failed',
      detail: 'blocked',
    });
    expect(ChannelEcho.parse(heard[1])).toMatchObject({ to: ada.contactId, body: 'from the phone' });
    subscription.unsubscribe();
  });
});
