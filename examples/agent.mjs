import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const nc = await connect({ servers: process.env.NATS_URL });
const consumers = (await jetstreamManager(nc)).consumers;
const settings = { durable_name: 'support', filter_subject: 'nexo.turns.support.>', ack_policy: 'explicit' };
await consumers.add('NEXO_TURNS', settings);
const consumer = await jetstream(nc).consumers.get('NEXO_TURNS', 'support');
for await (const message of await consumer.consume()) {
  const work = message.json();
  if (work.kind === 'hold') console.log('drop all work for %s', work.scope.contact_id);
  else console.log('answer %s: %j', work.turn_id, work.inbounds);
  message.ack();
}
