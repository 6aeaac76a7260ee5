import { AckPolicy, type ConsumerMessages, jetstream, jetstreamManager, type JsMsg } from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/nats-core';

import { encodeToken, STREAMS } from '#contracts/subjects.js';
import type { Turn } from '#contracts/turn.js';
import { TurnStreamMessage } from '#contracts/turn-stream-message.js';
import type { Logger } from '#runtime/logger.js';

import { answerTurn } from './answer-turn.js';
import { ConversationWork } from './conversation-work.js';
import { keepTrying } from './keep-trying.js';
import type { Pace } from './pace.js';
import { pause } from './pause.js';
import { Recent } from './recent.js';
import type { SeededRandom } from './seeded-random.js';

/** A turn that was neither answered nor dropped within this time comes again. */
const ACK_WAIT_MS = 30_000;
const PREFETCHED_MESSAGES = 100;
const REMEMBERED = 10_000;

export interface DemoAgentOptions {
  nc: NatsConnection;
  agentId: string;
  random: SeededRandom;
  pace: Pace;
  logger: Logger;
  signal: AbortSignal;
}

/**
 * Reads the turns of one agent and answers each once, after a while. It drops what it does for a conversation when a
 * Hold or a newer epoch comes, and copies of turns that it has seen.
 */
export class DemoAgent {
  private readonly conversations = new Recent<string, ConversationWork>(REMEMBERED);
  private readonly seenTurns = new Recent<string, true>(REMEMBERED);
  private readonly underWay = new Set<Promise<void>>();

  constructor(private readonly options: DemoAgentOptions) {}

  /** Answers turns until the signal aborts. */
  async run(): Promise<void> {
    const { signal } = this.options;
    while (!signal.aborted) {
      const messages = await keepTrying('reading the turn stream', () => this.consume(), this.options);
      if (messages !== undefined) await this.handleAll(messages);
    }
    for (const work of this.conversations.all()) work.drop();
    await Promise.all(this.underWay);
  }

  private async consume(): Promise<ConsumerMessages> {
    const { nc, agentId, signal } = this.options;
    const jsm = await jetstreamManager(nc, { checkAPI: false });
    await jsm.consumers.add(STREAMS.turns, {
      durable_name: agentId,
      filter_subject: `nexo.turns.${encodeToken(agentId)}.>`,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
    });
    const consumer = await jetstream(nc).consumers.get(STREAMS.turns, agentId);
    const messages = await consumer.consume({ max_messages: PREFETCHED_MESSAGES, abort_on_missing_resource: true });
    const close = () => void messages.close();
    if (signal.aborted) close();
    else signal.addEventListener('abort', close, { once: true });
    return messages;
  }

  private async handleAll(messages: ConsumerMessages): Promise<void> {
    try {
      for await (const message of messages) this.handle(message);
    } catch (error) {
      this.options.logger.warn({ err: error }, 'the turn stream was interrupted');
    }
  }

  private handle(message: JsMsg): void {
    const read = parse(message);
    if (read === undefined) {
      this.options.logger.warn({ subject: message.subject }, 'neither a turn nor a hold; dropped');
      return this.acknowledge(message);
    }
    const work = this.conversations.getOrAdd(message.subject, () => new ConversationWork());
    const outdated = !work.enter(read.epoch);
    if (outdated || read.kind === 'hold' || this.seenTurns.get(read.turn_id)) return this.acknowledge(message);
    this.seenTurns.set(read.turn_id, true);
    const done = work.add((signal) => this.answer(message, read, signal)).finally(() => this.underWay.delete(done));
    this.underWay.add(done);
  }

  private async answer(message: JsMsg, turn: Turn, signal: AbortSignal): Promise<void> {
    const { nc, logger, random, pace, signal: stopping } = this.options;
    if (await pause(random.between(pace.answer), signal)) await answerTurn(turn, { nc, logger, signal });
    // What a stop interrupts is left for the next start.
    if (!stopping.aborted) this.acknowledge(message);
  }

  private acknowledge(message: JsMsg): void {
    if (!this.options.nc.isClosed()) message.ack();
  }
}

function parse(message: JsMsg): TurnStreamMessage | undefined {
  try {
    return TurnStreamMessage.parse(message.json());
  } catch {
    return undefined;
  }
}
