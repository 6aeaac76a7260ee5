import { randomUUID } from 'node:crypto';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const nc = await connect({ servers: process.env.NATS_URL });
const scope = { kind: 'conversation', agent_id: 'support', channel: 'webchat', account_id: 'main', contact_id: 'ada' };
const contact = { from_contact_id: 'ada', source_plugin: 'webchat' };
const inbound = { ...contact, message_id: randomUUID(), body: 'Where is my order?', timestamp_ms: Date.now() };
await jetstream(nc).publish('nexo.inbound.support.webchat.main.ada', JSON.stringify({ scope, inbound }));
for await (const request of nc.subscribe('nexo.channel.webchat.main.send', { queue: 'webchat' })) {
  const { outbound_id, to, body } = request.json();
  console.log('to %s: %s', to, body);
  request.respond(JSON.stringify({ outbound_message_id: outbound_id }));
}
