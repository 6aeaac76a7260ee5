import type { Msg, NatsConnection, Subscription } from '@nats-io/nats-core';

import type { ChannelEcho } from '#contracts/channel-echo.js';
import type { ChannelStatus } from '#contracts/channel-status.js';
import type { OutboundAck } from '#contracts/outbound-ack.js';
import type { OutboundMessage } from '#contracts/outbound-message.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { channelEchoSubject, channelSendSubject, channelStatusSubject } from '#contracts/subjects.js';

import { waitFor } from './wait-for.js';

/** What a channel answers: an acknowledgement, raw bytes, or nothing at all. */
export type FakeAnswer = OutboundAck | string | Uint8Array | 'silence';

/** The account of a channel that the test plays: it keeps what it was asked to send and answers as it is told. */
export class FakeChannel {
  readonly asked: OutboundMessage[] = [];
  /** What it answers from now on. */
  answer: (message: OutboundMessage) => FakeAnswer | Promise<FakeAnswer> = () => ({});

  private constructor(
    private readonly nc: NatsConnection,
    private readonly channel: string,
    private readonly accountId: string,
  ) {}

  private subscription: Subscription | undefined;

  /** Serves the channel account of a conversation. Resolves when the broker knows of it. */
  static async of(nc: NatsConnection, scope: ConversationScope): Promise<FakeChannel> {
    const fake = new FakeChannel(nc, scope.channel, scope.account_id);
    await fake.listen();
    return fake;
  }

  async listen(): Promise<void> {
    this.subscription = this.nc.subscribe(channelSendSubject(this.channel, this.accountId), {
      callback: (_error, message) => void this.take(message),
    });
    await this.nc.flush();
  }

  /** Nobody serves the account any more. */
  async leave(): Promise<void> {
    this.subscription?.unsubscribe();
    await this.nc.flush();
  }

  /** Waits until it was asked so many times for messages to a contact, and gives them. */
  askedFor(contactId: string, count = 1): Promise<OutboundMessage[]> {
    return waitFor(
      () => {
        const messages = this.asked.filter(({ to }) => to === contactId);
        return messages.length >= count && messages;
      },
      { what: `${count} requests to send` },
    );
  }

  async status(status: ChannelStatus | Record<string, unknown> | string): Promise<void> {
    await this.report(channelStatusSubject(this.channel, this.accountId), status);
  }

  async echo(echo: ChannelEcho | Record<string, unknown> | string): Promise<void> {
    await this.report(channelEchoSubject(this.channel, this.accountId), echo);
  }

  private async report(subject: string, payload: object | string): Promise<void> {
    this.nc.publish(subject, typeof payload === 'string' ? payload : JSON.stringify(payload));
    await this.nc.flush();
  }

  private async take(request: Msg): Promise<void> {
    const message = request.json<OutboundMessage>();
    this.asked.push(message);
    const answer = await this.answer(message);
    if (answer === 'silence') return;
    request.respond(typeof answer === 'string' || answer instanceof Uint8Array ? answer : JSON.stringify(answer));
  }
}
