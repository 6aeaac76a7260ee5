import { AckPolicy, DeliverPolicy, type JetStreamManager } from '@nats-io/jetstream';
import { type Msg, nanos, type NatsConnection, nuid, type Subscription } from '@nats-io/nats-core';
import { newInbox } from './inbox.js';
import { parseDelivery, type StreamRecord } from './stream-record.js';

export interface OrderedPullOptions {
  nc: NatsConnection;
  jsm: JetStreamManager;
  stream: string;
  filterSubject: string;
  fromSeq: number;
  heartbeatMs: number;
  /** How much may be asked for now; undefined if there is no room worth a request. */
  room: () => PullRoom | undefined;
  onRecord: (record: StreamRecord) => void;
}

export interface PullRoom {
  messages: number;
  bytes: number;
}

/** The answers to a pull request that end it in order; all others mean that the consumer is no good any more. */
const PULL_IS_OVER = new Set([404, 408]);
const HEARTBEAT = 100;
const MAX_BYTES_REACHED = /maxbytes/i;

const PULL_EXPIRES_MS = 30_000;
/** Ticks of the watchdog without a sign of life: two heartbeats were missed, whatever the phase of the ticks. */
const SILENT_TICKS = 3;
/** How long the server keeps the consumer of a reader that vanished. */
const INACTIVE_MS = 30_000;

/**
 * One ephemeral consumer without acknowledgements, read by one pull request at a time, so that never more is under
 * way than there is room for. It lives until `broken` resolves; its successor goes on behind the last record.
 */
export class OrderedPull {
  /** Resolves with the reason once nothing more can come. */
  readonly broken: Promise<string>;
  private resolveBroken!: (reason: string) => void;
  private readonly consumer = `holdline_${nuid.next()}`;
  private readonly inbox: string;
  private subscription: Subscription | undefined;
  private watchdog: NodeJS.Timeout | undefined;
  private silentTicks = 0;
  private pullNumber = 0;
  /** Messages that may still come for the current pull request; 0: there is none. */
  private outstanding = 0;
  private deliverySeq = 0;
  private created = false;
  private isBroken = false;

  constructor(private readonly options: OrderedPullOptions) {
    this.inbox = newInbox(options.nc);
    this.broken = new Promise((resolve) => (this.resolveBroken = resolve));
  }

  /** @throws the client's errors if the consumer cannot be created */
  async open(): Promise<void> {
    const { nc, jsm, stream, filterSubject, fromSeq, heartbeatMs } = this.options;
    this.created = true;
    await jsm.consumers.add(stream, {
      name: this.consumer,
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: Math.max(1, fromSeq),
      filter_subject: filterSubject,
      inactive_threshold: nanos(INACTIVE_MS),
      mem_storage: true,
      num_replicas: 1,
    });
    if (this.isBroken) return;
    this.subscription = nc.subscribe(`${this.inbox}.*`, {
      callback: (error, message) => (error ? this.break(error.message) : this.receive(message)),
    });
    this.watchdog = setInterval(() => this.checkSilence(), heartbeatMs);
    this.pull();
  }

  /** To be called when room was made. */
  pull(): void {
    if (!this.subscription || this.isBroken || this.outstanding > 0) return;
    const room = this.options.room();
    if (!room) return;
    this.outstanding = room.messages;
    this.silentTicks = 0;
    const { nc, stream, heartbeatMs } = this.options;
    const request = {
      batch: room.messages,
      max_bytes: room.bytes,
      expires: nanos(PULL_EXPIRES_MS),
      idle_heartbeat: nanos(heartbeatMs),
    };
    const reply = `${this.inbox}.${++this.pullNumber}`;
    nc.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${this.consumer}`, JSON.stringify(request), { reply });
  }

  /** Ends it: nothing more is received and the server forgets the consumer, as far as it can be told. */
  async close(): Promise<void> {
    this.break('closed');
    if (!this.created || this.options.nc.isClosed()) return;
    try {
      await this.options.jsm.consumers.delete(this.options.stream, this.consumer);
    } catch {
      // It is gone already, or the server cannot be asked and forgets it by itself.
    }
  }

  /** Nothing is received from here on. */
  break(reason: string): void {
    if (this.isBroken) return;
    this.isBroken = true;
    clearInterval(this.watchdog);
    if (!this.options.nc.isClosed()) this.subscription?.unsubscribe();
    this.resolveBroken(reason);
  }

  private receive(message: Msg): void {
    if (this.isBroken) return;
    this.silentTicks = 0;
    if (message.subject.startsWith(this.inbox)) return this.receiveStatus(message);
    const { record, deliverySeq } = parseDelivery(message);
    if (deliverySeq !== this.deliverySeq + 1) {
      return this.break(`delivery ${deliverySeq} came after ${this.deliverySeq}`);
    }
    this.deliverySeq = deliverySeq;
    this.outstanding--;
    this.options.onRecord(record);
    this.pull();
  }

  private receiveStatus(message: Msg): void {
    const { code = 0, description = '' } = message.headers ?? {};
    const current = message.subject === `${this.inbox}.${this.pullNumber}`;
    if (code === HEARTBEAT || !current) return;
    if (PULL_IS_OVER.has(code) || MAX_BYTES_REACHED.test(description)) {
      this.outstanding = 0;
      return this.pull();
    }
    this.break(`the server answered ${code} ${description}`.trim());
  }

  private checkSilence(): void {
    if (this.outstanding === 0) return;
    if (++this.silentTicks >= SILENT_TICKS) this.break('two heartbeats were missed');
  }
}
