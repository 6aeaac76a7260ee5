import { createHash } from 'node:crypto';
import { connect, headers } from '@nats-io/transport-node';

const { NATS_URL, TOKEN } = process.env;
const nc = await connect({ servers: NATS_URL });
const scope = {
  kind: 'conversation',
  agent_id: 'support',
  channel: 'webchat',
  account_id: 'main',
  contact_id: 'grace',
};
const params = { scope, operator_token_hash: createHash('sha256').update(TOKEN).digest('hex').slice(0, 16) };
const authorization = headers();
authorization.set('Authorization', `Bearer ${TOKEN}`);
const operator = (verb) => {
  const request = { jsonrpc: '2.0', id: 1, method: `nexo/admin/processing/${verb}`, params };
  return nc.request(`nexo.admin.processing.${verb}`, JSON.stringify(request), { headers: authorization });
};
const graceWrites = (body) => {
  const inbound = { from_contact_id: 'grace', body, timestamp_ms: Date.now(), source_plugin: 'webchat' };
  return nc.request('nexo.inbound.support.webchat.main.grace', JSON.stringify({ scope, inbound }));
};

const holdAndTurn = nc.subscribe('nexo.turns.support.webchat.main.grace', { max: 2 });
console.log('pause: %s', (await operator('pause')).string());
for (const body of ['Hello?', 'Is anybody there?']) await graceWrites(body);
while ((await operator('pending')).json().result.depth < 2);
console.log('resume: %s', (await operator('resume')).string());
for await (const message of holdAndTurn) console.log('the agent gets: %s', message.string());
await nc.close();
