import {
  type Msg,
  type NatsConnection,
  PermissionViolationError,
  type Status,
  type Subscription,
} from '@nats-io/nats-core';
import { watchStatus } from './connection-status.js';
import { newInbox } from './inbox.js';
import { parsePublishAck } from './publish-ack.js';
import { publishHeaders } from './publish-headers.js';

export interface StreamMessage {
  subject: string;
  payload: string | Uint8Array;
  /** `Nats-Msg-Id`: a second message with it within the stream's duplicate window is acknowledged and not stored. */
  msgId?: string;
  /** Refused unless the last message on the subject has exactly this stream sequence (0: the subject is empty). */
  expectedLastSubjectSequence?: number;
  headers?: Record<string, string>;
}

/**
 * - `wrong_last_sequence`: the subject's last sequence is another; nothing was stored
 * - `too_large`: over the server's payload limit or the stream's message limit; nothing was stored
 * - `no_stream`: no stream takes the subject, or JetStream is off or still starting; nothing was stored
 * - `stream_full`: a limit of the stream or of the server's storage is reached; nothing was stored
 * - `refused`: not permitted, not a subject or header that can be sent, or another refusal; nothing was stored
 * - `timeout`, `disconnected`: **it is unknown whether the message was stored**
 */
export type PublishFailure =
  'wrong_last_sequence' | 'too_large' | 'no_stream' | 'stream_full' | 'refused' | 'timeout' | 'disconnected';

/** `seq` is the stream sequence; of a duplicate, that of the message stored first. */
export type PublishOutcome =
  | { ok: true; seq: number; duplicate: boolean }
  /** `lastSequence`: that of the subject, where the server tells it with `wrong_last_sequence`. */
  | { ok: false; reason: PublishFailure; detail: string; lastSequence?: number };

interface Burst {
  messages: StreamMessage[];
  /** A hole is a message whose answer is still to come. */
  outcomes: (PublishOutcome | undefined)[];
  outstanding: number;
  finish: () => void;
}

const DISCONNECTED: PublishOutcome = {
  ok: false,
  reason: 'disconnected',
  detail: 'the connection to the broker broke',
};
const CLOSED: PublishOutcome = { ok: false, reason: 'disconnected', detail: 'the publisher is closed' };

/**
 * Publishes to JetStream in bursts: all messages of a call are written in one go and in order, and their
 * acknowledgements come back through one subscription that lives as long as the publisher.
 */
export class StreamPublisher {
  private readonly inbox: string;
  private readonly acks: Subscription;
  private readonly stopWatching: () => void;
  private readonly bursts = new Map<number, Burst>();
  private nextBurstId = 0;
  private connected = true;

  constructor(private readonly nc: NatsConnection) {
    this.inbox = newInbox(nc);
    this.acks = nc.subscribe(`${this.inbox}.*.*`, {
      callback: (error, ack) => {
        if (!error) this.receive(ack);
      },
    });
    this.stopWatching = watchStatus(nc, (status) => this.follow(status));
  }

  /**
   * Resolves when every message has its outcome, at the latest after `timeoutMs`; outcomes stand in the order of the
   * messages. Never rejects and never throws for a message.
   */
  publish(messages: StreamMessage[], { timeoutMs }: { timeoutMs: number }): Promise<PublishOutcome[]> {
    return new Promise((resolve) => {
      const id = this.nextBurstId++;
      const timer = setTimeout(
        () => this.settleAll(burst, { ok: false, reason: 'timeout', detail: `no answer within ${timeoutMs} ms` }),
        timeoutMs,
      );
      const burst: Burst = {
        messages,
        outcomes: new Array<PublishOutcome | undefined>(messages.length),
        outstanding: messages.length,
        finish: () => {
          clearTimeout(timer);
          this.bursts.delete(id);
          resolve(burst.outcomes as PublishOutcome[]);
        },
      };
      this.bursts.set(id, burst);
      messages.forEach((message, index) => {
        const failure = this.write(message, `${this.inbox}.${id}.${index}`);
        if (failure) this.settle(burst, index, failure);
      });
      if (messages.length === 0) burst.finish();
    });
  }

  /** Gives what is still outstanding the outcome `disconnected`; later calls get it for every message. */
  close(): void {
    this.stopWatching();
    this.connected = false;
    if (!this.nc.isClosed()) this.acks.unsubscribe();
    for (const burst of this.bursts.values()) this.settleAll(burst, CLOSED);
  }

  private write(message: StreamMessage, reply: string): PublishOutcome | undefined {
    const info = this.nc.info;
    // What is written without a connection is dropped or sent at some later time, so it is not written.
    if (!this.connected || !info) return DISCONNECTED;
    try {
      const headers = publishHeaders(message);
      const bytes = byteLength(message.payload) + (headers?.encode().length ?? 0);
      if (bytes > info.max_payload) {
        const detail = `${bytes} bytes with headers, the server takes ${info.max_payload}`;
        return { ok: false, reason: 'too_large', detail };
      }
      this.nc.publish(message.subject, message.payload, headers ? { reply, headers } : { reply });
      return undefined;
    } catch (error) {
      if (this.nc.isClosed() || this.nc.isDraining()) return CLOSED;
      return { ok: false, reason: 'refused', detail: error instanceof Error ? error.message : String(error) };
    }
  }

  private receive(ack: Msg): void {
    const [burstId, index] = ack.subject.slice(this.inbox.length + 1).split('.');
    const burst = this.bursts.get(Number(burstId));
    if (burst) this.settle(burst, Number(index), parsePublishAck(ack));
  }

  private follow(status: Status): void {
    if (status.type === 'reconnect') this.connected = true;
    if (status.type === 'disconnect' || status.type === 'close') {
      this.connected = false;
      for (const burst of this.bursts.values()) this.settleAll(burst, DISCONNECTED);
    }
    if (status.type === 'error' && status.error instanceof PermissionViolationError) this.refuse(status.error);
  }

  private refuse({ operation, subject, message: detail }: PermissionViolationError): void {
    if (operation !== 'publish') return;
    for (const burst of this.bursts.values()) {
      burst.messages.forEach((message, index) => {
        if (message.subject === subject) this.settle(burst, index, { ok: false, reason: 'refused', detail });
      });
    }
  }

  private settleAll(burst: Burst, outcome: PublishOutcome): void {
    burst.messages.forEach((_, index) => this.settle(burst, index, outcome));
  }

  private settle(burst: Burst, index: number, outcome: PublishOutcome): void {
    if (burst.outcomes[index] || index >= burst.messages.length) return;
    burst.outcomes[index] = outcome;
    if (--burst.outstanding === 0) burst.finish();
  }
}

function byteLength(payload: string | Uint8Array): number {
  return typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length;
}
