import { connect } from '@nats-io/transport-node';
import { AgentWorker } from 'holdline/sdk/agent-worker.js';

const nc = await connect({ servers: process.env.NATS_URL });
const worker = new AgentWorker({ nc, agentId: 'support' });
worker.onTurn(async (turn) => {
  const open = turn.inbounds.filter(({ answered }) => !answered);
  console.log('%s asks %j; told: %s', turn.scope.contact_id, open, turn.operatorSummary ?? 'nothing');
  await turn.reply('It comes today.');
});
