import { connect } from '@nats-io/transport-node';
import { HumanTakeover } from 'holdline/sdk/human-takeover.js';
import { OperatorClient } from 'holdline/sdk/operator-client.js';

const nc = await connect({ servers: process.env.NATS_URL });
const operator = new OperatorClient({ nc, token: process.env.TOKEN });
const scope = { kind: 'conversation', agent_id: 'support', channel: 'webchat', account_id: 'main', contact_id: 'bob' };
const takeover = await HumanTakeover.engage(operator, scope, { reason: 'I know this customer.' });
await takeover.sendReply('I am looking for it.');
console.log('handed back: %j', await takeover.release('I told Bob that I am looking for the parcel.'));
await nc.close();
