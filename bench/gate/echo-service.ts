/** Answers a NATS request with nothing: what a request costs before anybody does anything. Environment: NATS_URL. */
import { connect } from '@nats-io/transport-node';

import { ECHO_SUBJECT } from './echo-subject.js';

const nc = await connect({ servers: process.env['NATS_URL'] ?? '' });
nc.subscribe(ECHO_SUBJECT, { callback: (_error, message) => void message.respond() });
await nc.flush();
process.once('disconnect', () => process.exit(0));
process.send?.('listening');
