import { connect } from '@nats-io/transport-node';
import { ChannelPlugin } from 'holdline/sdk/channel-plugin.js';

const nc = await connect({ servers: process.env.NATS_URL });
const channel = new ChannelPlugin({ nc, channel: 'webchat', accountId: 'main' });
await channel.onSend(({ outbound_id, to, body }) => {
  console.log('to %s: %s', to, body);
  return outbound_id;
});
await channel.publishInbound({ agentId: 'support', contactId: 'bob', body: 'Where is my order?' });
