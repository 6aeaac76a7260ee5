import { randomUUID } from 'node:crypto';

import { jetstream, JetStreamApiError } from '@nats-io/jetstream';
import type { Msg, NatsConnection, Subscription } from '@nats-io/nats-core';

import type { ChannelEcho } from '#contracts/channel-echo.js';
import type { ChannelStatus } from '#contracts/channel-status.js';
import { InboundMessage } from '#contracts/inbound-message.js';
import { MAX_INBOUND_BYTES } from '#contracts/limits.js';
import type { OutboundAck } from '#contracts/outbound-ack.js';
import { OutboundMessage } from '#contracts/outbound-message.js';
import { parseParams } from '#contracts/parse-params.js';
import { channelEchoSubject, channelSendSubject, channelStatusSubject, inboundSubject } from '#contracts/subjects.js';
import { utf8Length } from '#contracts/text.js';

import { Recent } from './recent.js';
import { retrying } from './retry.js';

const REMEMBERED_MESSAGES = 10_000;
const ACK_TIMEOUT_MS = 5_000;
const DEFAULT_RETRY_FOR_MS = 60_000;

/** Throw it from a send handler when the message was certainly not sent. */
export class SendRefused extends Error {
  override readonly name = 'SendRefused';

  /** @param reason a word to branch on; `detail` is what a person can read */
  constructor(
    readonly reason: string,
    readonly detail?: string,
  ) {
    super(detail === undefined ? reason : `${reason}: ${detail}`);
  }
}

/** Sends one message to a contact, and gives the channel's own id of it if there is one. */
export type SendHandler = (message: OutboundMessage) => Promise<string | undefined | void> | string | undefined | void;

export interface ChannelPluginOptions {
  nc: NatsConnection;
  channel: string;
  accountId: string;
  /** `source_plugin` of what it publishes; the channel's name by default. */
  sourcePlugin?: string;
  /** Is told of failures that Holdline gets no answer about. */
  onProblem?: (what: string, error: unknown) => void;
}

/** A message of a contact. */
export interface NewInbound {
  agentId: string;
  contactId: string;
  body: string;
  attachments?: unknown[];
  /** When it was written; now by default. */
  timestampMs?: number;
  /** A UUID by which a copy is recognised for ever; without it, each call is a message of its own. */
  messageId?: string;
  /** Any other id by which a copy is recognised, such as the provider's: sent as `Nats-Msg-Id`. */
  providerId?: string;
  /** Whoever wrote it, if not the contact: a member of a group. */
  fromContactId?: string;
  sessionId?: string;
  mcpChannelSource?: string;
}

/** One account of a channel: brings what contacts write, and sends what Holdline asks it to. */
export class ChannelPlugin {
  private readonly answers = new Recent<string, Promise<OutboundAck | undefined>>(REMEMBERED_MESSAGES);
  private readonly underWay = new Set<Promise<void>>();
  private subscription: Subscription | undefined;

  constructor(private readonly options: ChannelPluginOptions) {}

  /**
   * Publishes a message of a contact, again and again under the same id until the stream has it.
   * @param forMs no attempt begins later than this; 60 s by default
   * @throws RpcError `invalid_params` for what Holdline would refuse; the broker's error when the time is over
   */
  async publishInbound(
    inbound: NewInbound,
    { forMs = DEFAULT_RETRY_FOR_MS, signal }: { forMs?: number; signal?: AbortSignal } = {},
  ): Promise<{ seq: number; duplicate: boolean }> {
    const message = parseParams(InboundMessage, this.inboundMessage(inbound));
    const payload = JSON.stringify(message);
    if (utf8Length(payload) > MAX_INBOUND_BYTES) {
      throw new RangeError(`An inbound is at most ${MAX_INBOUND_BYTES} bytes of JSON.`);
    }
    const js = jetstream(this.options.nc);
    const msgID = inbound.providerId ?? message.inbound.message_id ?? randomUUID();
    const publish = () => js.publish(inboundSubject(message.scope), payload, { msgID, timeout: ACK_TIMEOUT_MS });
    const passes = (error: unknown) => !(error instanceof JetStreamApiError && error.code === 400);
    const { seq, duplicate } = await retrying(publish, { forMs, passes, signal });
    return { seq, duplicate };
  }

  /**
   * Answers Holdline's requests to send, by as many processes as serve the account. The same `outbound_id` is handed to
   * the handler once and answered from memory afterwards. A handler that throws SendRefused has sent nothing; after any
   * other error nobody knows, so there is no answer and Holdline says `channel_timeout`. Resolves when requests come.
   */
  async onSend(handler: SendHandler): Promise<void> {
    if (this.subscription !== undefined) throw new Error('This account is being served already.');
    const { nc, channel, accountId } = this.options;
    this.subscription = nc.subscribe(channelSendSubject(channel, accountId), {
      queue: 'channel',
      callback: (error, request) => {
        if (error !== null) return this.report('requests to send are not received', error);
        const answered = this.answer(request, handler).finally(() => this.underWay.delete(answered));
        this.underWay.add(answered);
      },
    });
    await nc.flush();
  }

  /** Tells what became of a message that was sent. Resolves when the broker has it. */
  status(outboundId: string, status: ChannelStatus['status'], detail?: string): Promise<void> {
    const { channel, accountId } = this.options;
    const message: ChannelStatus = {
      outbound_id: outboundId,
      status,
      at_ms: Date.now(),
      ...(detail === undefined ? {} : { detail }),
    };
    return this.tell(channelStatusSubject(channel, accountId), message);
  }

  /** Tells of a message that left the account, by whomever it was sent. Resolves when the broker has it. */
  echo(echo: Omit<ChannelEcho, 'timestamp_ms'> & { timestamp_ms?: number }): Promise<void> {
    const { channel, accountId } = this.options;
    return this.tell(channelEchoSubject(channel, accountId), { timestamp_ms: Date.now(), ...echo });
  }

  /** Takes no further requests and waits for those under way. */
  async stop(): Promise<void> {
    this.subscription?.unsubscribe();
    this.subscription = undefined;
    await Promise.all(this.underWay);
  }

  private async answer(request: Msg, handler: SendHandler): Promise<void> {
    const message = OutboundMessage.safeParse(parsed(request));
    if (!message.success) return void respond(request, { error: { reason: 'not_understood' } });
    const answer = this.answers.getOrAdd(message.data.outbound_id, () => this.send(message.data, handler));
    const ack = await answer;
    if (ack !== undefined) respond(request, ack);
  }

  private async send(message: OutboundMessage, handler: SendHandler): Promise<OutboundAck | undefined> {
    try {
      const id = await handler(message);
      return id === undefined ? {} : { outbound_message_id: id };
    } catch (error) {
      if (error instanceof SendRefused) {
        const { reason, detail } = error;
        return { error: detail === undefined ? { reason } : { reason, detail } };
      }
      this.report('it is not known whether a message was sent', error);
      return undefined;
    }
  }

  private async tell(subject: string, message: unknown): Promise<void> {
    this.options.nc.publish(subject, JSON.stringify(message));
    await this.options.nc.flush();
  }

  private inboundMessage(inbound: NewInbound): unknown {
    const { channel, accountId, sourcePlugin = channel } = this.options;
    const { agentId, contactId, mcpChannelSource, providerId } = inbound;
    return {
      scope: {
        kind: 'conversation',
        agent_id: agentId,
        channel,
        account_id: accountId,
        contact_id: contactId,
        mcp_channel_source: mcpChannelSource,
      },
      inbound: {
        // A provider's id is the identity where there is no UUID.
        message_id: inbound.messageId ?? (providerId === undefined ? randomUUID() : undefined),
        from_contact_id: inbound.fromContactId ?? contactId,
        body: inbound.body,
        timestamp_ms: inbound.timestampMs ?? Date.now(),
        source_plugin: sourcePlugin,
        attachments: inbound.attachments,
      },
      session_id: inbound.sessionId,
    };
  }

  private report(what: string, error: unknown): void {
    this.options.onProblem?.(what, error);
  }
}

function parsed(request: Msg): unknown {
  try {
    return request.json();
  } catch {
    return undefined;
  }
}

function respond(request: Msg, ack: OutboundAck): boolean {
  return request.respond(JSON.stringify(ack));
}
