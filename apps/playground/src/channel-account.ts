import { randomUUID } from 'node:crypto';

import type { Msg, NatsConnection, Subscription } from '@nats-io/nats-core';

import type { OutboundAck } from '#contracts/outbound-ack.js';
import { OutboundMessage } from '#contracts/outbound-message.js';
import { channelSendSubject } from '#contracts/subjects.js';
import type { Logger } from '#runtime/logger.js';

import { Recent } from './recent.js';

const REMEMBERED_MESSAGES = 10_000;

/** One account of a channel: it "sends" what it is asked to by writing it to the log. */
export class ChannelAccount {
  /** The channel's own id of each message, by `outbound_id`. */
  private readonly sent = new Recent<string, string>(REMEMBERED_MESSAGES);

  constructor(private readonly logger: Logger) {}

  /** Takes requests to send until the subscription ends. */
  serve(nc: NatsConnection, channel: string, accountId: string): Subscription {
    return nc.subscribe(channelSendSubject(channel, accountId), {
      queue: 'demo-channel',
      callback: (error, request) => {
        if (error === null) request.respond(JSON.stringify(this.send(request)));
      },
    });
  }

  /** A copy of a message that was sent is answered like the first and not sent again. */
  private send(request: Msg): OutboundAck {
    const message = parse(request);
    if (message === undefined) return { error: { reason: 'not_understood' } };
    const known = this.sent.get(message.outbound_id);
    if (known !== undefined) return { outbound_message_id: known };
    const id = `demo-${randomUUID()}`;
    this.sent.set(message.outbound_id, id);
    this.logger.debug({ to: message.to, origin: message.origin, text: message.body }, 'the demo channel sends');
    return { outbound_message_id: id };
  }
}

function parse(request: Msg): OutboundMessage | undefined {
  try {
    return OutboundMessage.parse(request.json());
  } catch {
    return undefined;
  }
}
