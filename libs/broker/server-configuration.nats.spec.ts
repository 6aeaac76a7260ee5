import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers, type NatsConnection, type Subscription } from '@nats-io/transport-node';

import { ConfiguredNats, ROLES, type Role } from '../../test/harness/configured-nats.js';
import { connectBroker } from './connection.js';
import { watchStatus } from './connection-status.js';
import { StreamPublisher } from './stream-publisher.js';
import { ensureStreams } from './topology.js';

describe('nats-server.conf', () => {
  let server: ConfiguredNats;
  const connections = {} as Record<Role, NatsConnection>;

  beforeAll(async () => {
    server = await ConfiguredNats.start('nats/nats-server.conf');
    for (const role of ROLES) connections[role] = await server.connect(role);
    await ensureStreams(connections.service);
  });

  afterAll(async () => {
    await Promise.all(Object.values(connections).map((nc) => nc.close()));
    await server.stop();
  });

  test('a wrong password is refused at once', async () => {
    const intruder = connectBroker({ servers: server.url, user: 'operator', pass: 'guess', name: 'intruder' });
    await expect(intruder).rejects.toThrow('Authorization Violation');
    await expect(connectBroker({ servers: server.url, name: 'nobody' })).rejects.toThrow('Authorization Violation');
  });

  const mayPublish: [Role, string, boolean][] = [
    ['channel', 'nexo.inbound.a.whatsapp.acc.contact', true],
    ['channel', 'nexo.inbound.a.whatsapp.acc.contact.mcp', true],
    ['channel', 'nexo.inbound.a', false],
    ['channel', 'nexo.channel.whatsapp.acc.status', true],
    ['channel', 'nexo.channel.whatsapp.acc.echo', true],
    ['channel', 'nexo.channel.whatsapp.acc.send', false],
    ['channel', 'nexo.admin.processing.pause', false],
    ['channel', 'nexo.agent.reply', false],
    ['channel', 'nexo.turns.a.b.c.d', false],
    ['agent', 'nexo.partition.0.inbound.a.b.c.d', false],
    ['observer', 'nexo.partition.0.inbound.a.b.c.d', false],
    ['channel', '$JS.API.STREAM.PURGE.NEXO_INBOUND', false],
    ['agent', 'nexo.agent.reply', true],
    ['agent', 'nexo.tools.call', true],
    ['agent', 'nexo.admin.processing.resume', false],
    ['agent', 'nexo.turns.a.b.c.d', false],
    ['agent', 'nexo.inbound.a.b.c.d', false],
    ['agent', 'nexo.channel.whatsapp.acc.send', false],
    ['agent', 'nexo.agent_events.a.turn_failed', false],
    ['agent', '$JS.API.CONSUMER.CREATE.NEXO_INBOUND.c', false],
    ['agent', '$JS.API.CONSUMER.CREATE.NEXO_AGENT_EVENTS.c', false],
    ['agent', '$JS.API.STREAM.MSG.GET.NEXO_INBOUND', false],
    ['agent', '$JS.API.STREAM.PURGE.NEXO_TURNS', false],
    ['agent', '$JS.API.STREAM.DELETE.NEXO_TURNS', false],
    ['operator', 'nexo.admin.processing.pause', true],
    ['operator', 'nexo.agent.reply', false],
    ['operator', 'nexo.channel.whatsapp.acc.send', false],
    ['operator', 'nexo.inbound.a.b.c.d', false],
    ['operator', '$JS.API.CONSUMER.CREATE.NEXO_QUARANTINE.c', false],
    ['observer', 'nexo.admin.processing.state', false],
    ['observer', 'nexo.agent_events.a.turn_failed', false],
    ['observer', 'nexo.agent.reply', false],
    ['observer', '$JS.API.CONSUMER.CREATE.NEXO_INBOUND.c', false],
    ['observer', '$JS.API.STREAM.PURGE.NEXO_AGENT_EVENTS', false],
    ['gateway', 'nexo.admin.processing.pause', true],
    ['gateway', 'nexo.gateway.notices', true],
    ['gateway', 'nexo.agent.reply', false],
    ['gateway', 'nexo.agent_events.a.turn_failed', false],
    ['gateway', 'nexo.turns.a.b.c.d', false],
    ['gateway', '$JS.API.CONSUMER.CREATE.NEXO_INBOUND.c', false],
    ['gateway', '$JS.API.STREAM.PURGE.NEXO_AGENT_EVENTS', false],
    ['operator', 'nexo.gateway.notices', false],
    ['observer', 'nexo.gateway.notices', false],
    ['playground', 'nexo.inbound.a.b.c.d', true],
    ['playground', 'nexo.agent.reply', true],
    ['playground', 'nexo.admin.processing.pause', false],
    ['service', 'nexo.turns.a.b.c.d', true],
    ['service', 'nexo.channel.whatsapp.acc.send', true],
  ];
  test.each(mayPublish)('%s publishing to %s: %s', async (role, subject, allowed) => {
    expect(await publishes(connections[role], subject)).toBe(allowed);
  });

  const maySubscribe: [Role, string, boolean][] = [
    ['channel', 'nexo.channel.*.*.send', true],
    ['channel', 'nexo.channel.whatsapp.acc.send', true],
    ['channel', 'nexo.inbound.>', false],
    ['channel', 'nexo.turns.>', false],
    ['channel', '_INBOX.operator.>', false],
    ['channel', '_INBOX.>', false],
    ['agent', 'nexo.agent_events.*.tool_call_finished', true],
    ['agent', 'nexo.turns.>', true],
    ['agent', 'nexo.agent_events.>', false],
    ['agent', 'nexo.inbound.>', false],
    ['agent', 'nexo.admin.>', false],
    ['agent', '_INBOX.operator.>', false],
    ['operator', 'nexo.notify.>', true],
    ['operator', 'nexo.agent_events.>', false],
    ['operator', 'nexo.admin.>', false],
    ['observer', 'nexo.agent_events.>', true],
    ['observer', 'nexo.notify.processing_state_changed', true],
    ['observer', 'nexo.turns.>', false],
    ['observer', 'nexo.inbound.>', false],
    ['observer', 'nexo.quarantine.>', false],
    ['observer', '>', false],
    ['gateway', 'nexo.gateway.notices', true],
    ['gateway', 'nexo.admin.>', false],
    ['gateway', 'nexo.inbound.>', false],
    ['gateway', '_INBOX.operator.>', false],
  ];
  test.each(maySubscribe)('%s subscribing to %s: %s', async (role, subject, allowed) => {
    expect(await subscribes(connections[role], subject)).toBe(allowed);
  });

  test('a channel publishes inbounds with acknowledgement and answers what it is asked to send', async () => {
    const ack = await jetstream(connections.channel).publish('nexo.inbound.a.whatsapp.acc.contact', '{}');
    expect(ack).toMatchObject({ stream: 'NEXO_INBOUND' });
    const sends = connections.channel.subscribe('nexo.channel.whatsapp.acc.send', {
      queue: 'whatsapp',
      callback: (_error, message) => void message.respond('{"outbound_message_id":"1"}'),
    });
    await connections.channel.flush();
    const answer = await connections.service.request('nexo.channel.whatsapp.acc.send', '{}', { timeout: 5_000 });
    expect(answer.string()).toBe('{"outbound_message_id":"1"}');
    sends.unsubscribe();
  });

  test('an agent and an observer read their own stream and no other', async () => {
    const service = jetstream(connections.service);
    const manager = await jetstreamManager(connections.service);
    await manager.streams.purge('NEXO_TURNS');
    await service.publish('nexo.turns.a.b.c.d', 'turn');
    await service.publish('nexo.agent_events.a.turn_failed', 'event');
    expect(await firstOf(connections.agent, 'NEXO_TURNS')).toBe('turn');
    expect(await firstOf(connections.playground, 'NEXO_TURNS')).toBe('turn');
    expect(await firstOf(connections.observer, 'NEXO_AGENT_EVENTS')).toBe('event');
    await expect(firstOf(connections.agent, 'NEXO_INBOUND')).rejects.toThrow(/permissions violation/i);
    await expect(firstOf(connections.observer, 'NEXO_TURNS')).rejects.toThrow(/permissions violation/i);
  });

  test('an operator is answered on the inbox of its own and sees the services', async () => {
    const replies = connections.service.subscribe('nexo.admin.processing.state', {
      callback: (_error, message) => void message.respond(message.headers?.get('Authorization')),
    });
    await connections.service.flush();
    const bearer = headers();
    bearer.set('Authorization', 'Bearer t');
    const options = { timeout: 5_000, headers: bearer };
    const answer = await connections.operator.request('nexo.admin.processing.state', '{}', options);
    expect(answer.string()).toBe('Bearer t');
    expect(await publishes(connections.operator, '$SRV.INFO')).toBe(true);
    replies.unsubscribe();
  });

  test('what a user may not publish to a stream is refused without waiting for a timeout', async () => {
    const publisher = new StreamPublisher(connections.channel);
    const [outcome, allowed] = await publisher.publish(
      [
        { subject: 'nexo.turns.a.b.c.d', payload: 'forged' },
        { subject: 'nexo.inbound.a.b.c.d', payload: '{}' },
      ],
      { timeoutMs: 60_000 },
    );
    expect(outcome).toMatchObject({ ok: false, reason: 'refused' });
    expect(allowed).toMatchObject({ ok: true });
    publisher.close();
  });
});

/** False if the server reports that the user may not; its report comes before the answer to a later ping. */
async function publishes(nc: NatsConnection, subject: string): Promise<boolean> {
  let refused = false;
  const stop = watchStatus(nc, ({ type }) => {
    if (type === 'error') refused = true;
  });
  nc.publish(subject, '{}');
  await nc.flush();
  await new Promise(setImmediate);
  stop();
  return !refused;
}

async function subscribes(nc: NatsConnection, subject: string): Promise<boolean> {
  const subscription: Subscription = nc.subscribe(subject, { callback: () => {} });
  await nc.flush();
  const allowed = !subscription.isClosed();
  if (allowed) subscription.unsubscribe();
  return allowed;
}

/** The first message of a stream, read as a client reads it; what the user may not do is the error. */
async function firstOf(nc: NatsConnection, stream: string): Promise<string> {
  let violation: Error | undefined;
  const stop = watchStatus(nc, (status) => {
    if (status.type === 'error') violation ??= status.error;
  });
  try {
    const jsm = await jetstreamManager(nc, { timeout: 500, checkAPI: false });
    await jsm.streams.info(stream);
    const consumer = await jetstream(nc).consumers.get(stream);
    const message = await consumer.next({ expires: 5_000 });
    await consumer.delete();
    return message!.string();
  } catch (error) {
    throw violation ?? error;
  } finally {
    stop();
  }
}
