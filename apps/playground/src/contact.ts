import { randomUUID } from 'node:crypto';

import type { JetStreamClient } from '@nats-io/jetstream';

import type { InboundMessage } from '#contracts/inbound-message.js';
import { inboundSubject } from '#contracts/subjects.js';
import type { Logger } from '#runtime/logger.js';

import type { DemoContact, Line } from './demo-contacts.js';
import { keepTrying } from './keep-trying.js';
import type { Pace } from './pace.js';
import { pause } from './pause.js';
import type { SeededRandom } from './seeded-random.js';

const ACK_TIMEOUT_MS = 2_000;

export interface ContactOptions {
  js: JetStreamClient;
  random: SeededRandom;
  pace: Pace;
  logger: Logger;
  signal: AbortSignal;
}

/** Writes now and then until the signal aborts. */
export async function runContact(contact: DemoContact, options: ContactOptions): Promise<void> {
  const { random, pace, logger, signal } = options;
  let waitMs = random.between(pace.firstMessage);
  while (await pause(waitMs, signal)) {
    const message = inboundMessage(contact, random.pick(contact.lines));
    // A message that may or may not have arrived is sent again under its id: Holdline knows copies.
    await keepTrying('writing to the inbound stream', () => send(options.js, message), { logger, signal });
    waitMs = random.between(pace.nextMessage);
  }
}

function inboundMessage({ scope }: DemoContact, line: Line): InboundMessage {
  return {
    scope,
    inbound: {
      message_id: randomUUID(),
      from_contact_id: scope.contact_id,
      timestamp_ms: Date.now(),
      source_plugin: `demo-${scope.channel}`,
      ...(typeof line === 'string'
        ? { body: line }
        : { body: '', attachments: [{ kind: 'image', url: line.picture }] }),
    },
  };
}

async function send(js: JetStreamClient, message: InboundMessage): Promise<void> {
  await js.publish(inboundSubject(message.scope), JSON.stringify(message), {
    msgID: message.inbound.message_id as string,
    timeout: ACK_TIMEOUT_MS,
  });
}
