import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';

const nc = await connect({ servers: process.env.NATS_URL });
const filter = { filter_subjects: 'nexo.agent_events.*.processing_state_changed' };
const consumer = await jetstream(nc).consumers.get('NEXO_AGENT_EVENTS', filter);
for await (const message of await consumer.consume()) {
  const { scope, new_state, by } = message.json();
  console.log('%s: %s by %s', scope.contact_id, new_state.state, by);
}
