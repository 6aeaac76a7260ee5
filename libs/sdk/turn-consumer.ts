import { createHash } from 'node:crypto';

import {
  AckPolicy,
  type ConsumerInfo,
  type ConsumerMessages,
  DeliverPolicy,
  jetstream,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/nats-core';

import { encodeToken, STREAMS } from '#contracts/subjects.js';

const PLAIN_NAME = /^[\w-]{1,200}$/;

/** One worker of several: `index` from 0 to `of` − 1. */
export interface Share {
  index: number;
  of: number;
}

export interface TurnConsumerOptions {
  nc: NatsConnection;
  agentId: string;
  share: Share;
  /** A message that is neither acknowledged nor reported as being worked on within this time comes again. */
  ackWaitMs: number;
  /** Messages at hand at most. */
  maxAtHand: number;
  /** Where a consumer that does not exist yet begins, in epoch milliseconds; by default at the stream's beginning. */
  sinceMs: number | undefined;
}

/** The subjects of all turns of an agent. */
export function turnSubjects(agentId: string): string {
  return `nexo.turns.${encodeToken(agentId)}.>`;
}

/** The durable consumer of an agent, or of one of its several workers. */
export function durableName(agentId: string, { index, of }: Share): string {
  const plain = PLAIN_NAME.test(agentId);
  const name = plain ? agentId : `agent-${createHash('sha256').update(agentId).digest('hex').slice(0, 32)}`;
  return of === 1 ? name : `${name}-${index + 1}-of-${of}`;
}

/** True if the conversation of a turn subject belongs to the share; by FNV-1a, so that all workers agree. */
export function isOfShare(subject: string, { index, of }: Share): boolean {
  let hash = 0x811c9dc5;
  for (let at = 0; at < subject.length; at++) hash = Math.imul(hash ^ subject.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % of === index;
}

export interface OpenTurnConsumer {
  messages: ConsumerMessages;
  /** Messages that were delivered before and never acknowledged. */
  leftBefore: number;
  info: () => Promise<ConsumerInfo>;
}

/** Opens the durable consumer, which is made if it is not there. */
export async function openTurnConsumer(options: TurnConsumerOptions): Promise<OpenTurnConsumer> {
  const { nc, agentId, share, maxAtHand } = options;
  const name = durableName(agentId, share);
  const { num_ack_pending } = await ensureConsumer(options, name);
  const consumer = await jetstream(nc).consumers.get(STREAMS.turns, name);
  const messages = await consumer.consume({ max_messages: Math.min(maxAtHand, 100), abort_on_missing_resource: true });
  return { messages, leftBefore: num_ack_pending, info: () => consumer.info() };
}

async function ensureConsumer(options: TurnConsumerOptions, name: string): Promise<ConsumerInfo> {
  const { nc, agentId, ackWaitMs, maxAtHand, sinceMs } = options;
  const { consumers } = await jetstreamManager(nc, { checkAPI: false });
  const tuned = { ack_wait: nanos(ackWaitMs), max_ack_pending: maxAtHand };
  try {
    const found = await consumers.info(STREAMS.turns, name);
    const { ack_wait, max_ack_pending } = found.config;
    if (ack_wait === tuned.ack_wait && max_ack_pending === tuned.max_ack_pending) return found;
    return await consumers.add(STREAMS.turns, { ...found.config, ...tuned });
  } catch (error) {
    if (!(error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound)) throw error;
  }
  return consumers.add(STREAMS.turns, {
    ...tuned,
    durable_name: name,
    filter_subject: turnSubjects(agentId),
    ack_policy: AckPolicy.Explicit,
    ...(sinceMs === undefined
      ? {}
      : { deliver_policy: DeliverPolicy.StartTime, opt_start_time: new Date(sinceMs).toISOString() }),
  });
}
