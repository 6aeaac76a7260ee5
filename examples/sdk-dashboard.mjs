import { connect } from '@nats-io/transport-node';
import { Firehose } from 'holdline/sdk/firehose.js';

const nc = await connect({ servers: process.env.NATS_URL });
const kinds = ['processing_state_changed', 'escalation_requested'];
for await (const { seq, event } of new Firehose({ nc, kinds, afterSeq: 0 })) {
  console.log('%d: %s of %s', seq, event.kind, event.scope.contact_id);
}
