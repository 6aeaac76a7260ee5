import { AckPolicy, DeliverPolicy, jetstreamManager } from '@nats-io/jetstream';
import { nanos, type NatsConnection, nuid } from '@nats-io/nats-core';
import { newInbox } from './inbox.js';
import { parseDelivery, type StreamRecord } from './stream-record.js';

export interface StreamPageOptions {
  nc: NatsConnection;
  stream: string;
  /** Wildcards allowed. */
  filterSubject: string;
  /** Exclusive. */
  afterSeq: number;
  /** Up to which to read. The stream must have this sequence already. */
  throughSeq: number;
  maxMessages: number;
  /** Of a pull request; at least what the server's largest message takes with its headers. */
  maxBytes: number;
}

/** A part of a stream. */
export interface StreamPage {
  /** In the order of the stream. One that was written meanwhile may be among them. */
  records: StreamRecord[];
  /** Every matching message after the page's begin and up to this sequence is in `records`. */
  readThroughSeq: number;
}

const PAGE_TIMEOUT_MS = 5_000;
const INACTIVE_MS = 10_000;

/**
 * Reads the next messages once, in order, with a consumer that is gone afterwards.
 * @throws the client's errors, and an Error if the server does not deliver what it has
 */
export async function readStreamPage(options: StreamPageOptions): Promise<StreamPage> {
  const { nc, stream, filterSubject, afterSeq, throughSeq, maxMessages } = options;
  const jsm = await jetstreamManager(nc, { checkAPI: false, timeout: PAGE_TIMEOUT_MS });
  const name = `holdline_page_${nuid.next()}`;
  const { num_pending: pending } = await jsm.consumers.add(stream, {
    name,
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: Math.max(1, afterSeq + 1),
    filter_subject: filterSubject,
    inactive_threshold: nanos(INACTIVE_MS),
    mem_storage: true,
    num_replicas: 1,
  });
  try {
    if (pending === 0) return { records: [], readThroughSeq: throughSeq };
    const records = await pull(options, name, Math.min(pending, maxMessages));
    const last = records.at(-1);
    if (last === undefined) throw new Error(`${stream} has ${pending} messages and delivered none`);
    return { records, readThroughSeq: records.length === pending ? Math.max(last.seq, throughSeq) : last.seq };
  } finally {
    void jsm.consumers.delete(stream, name).catch(() => undefined);
  }
}

/** One pull request that ends when it has everything, or at the first answer that is no message. */
function pull({ nc, stream, maxBytes }: StreamPageOptions, consumer: string, count: number): Promise<StreamRecord[]> {
  const inbox = newInbox(nc);
  return new Promise((resolve) => {
    const records: StreamRecord[] = [];
    const end = () => {
      clearTimeout(timer);
      if (!nc.isClosed()) subscription.unsubscribe();
      resolve(records);
    };
    const timer = setTimeout(end, PAGE_TIMEOUT_MS);
    const subscription = nc.subscribe(inbox, {
      callback: (error, message) => {
        if (error !== null || !message.reply) return end();
        const { record, deliverySeq } = parseDelivery(message);
        if (deliverySeq !== records.length + 1) return end();
        records.push(record);
        if (records.length === count) end();
      },
    });
    const request = { batch: count, max_bytes: maxBytes, no_wait: true };
    nc.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, JSON.stringify(request), { reply: inbox });
  });
}
