import type { ConsumerMessages } from '@nats-io/jetstream';
import type { Msg, NatsConnection, Subscription } from '@nats-io/nats-core';

import type { Turn } from '#contracts/turn.js';
import { TurnStreamMessage } from '#contracts/turn-stream-message.js';

import { AgentTurn } from './agent-turn.js';
import { ConversationLanes, type LaneTask } from './conversation-lanes.js';
import { Recent } from './recent.js';
import { isOfShare, openTurnConsumer, type Share, turnSubjects } from './turn-consumer.js';
import { TurnIntake, type TurnMessage } from './turn-intake.js';

const DEFAULT_CONCURRENCY = 10;
const DEFAULT_ACK_WAIT_MS = 15_000;
const DEFAULT_GRACE_MS = 10_000;
const RETRY_MS = 1_000;
const LOOK_AGAIN_MS = 200;
const MAX_AT_HAND = 1_000;
const REMEMBERED_TURNS = 10_000;
const THE_ONLY_ONE: Share = { index: 0, of: 1 };

/** Answers one turn, by `turn.reply`, `turn.done` or `turn.escalate`. What it throws is told as `turn.failed`. */
export type TurnHandler = (turn: AgentTurn) => Promise<void> | void;

export interface AgentWorkerOptions {
  nc: NatsConnection;
  agentId: string;
  /** Conversations that are answered at the same time. Default 10. */
  concurrency?: number;
  /** Of several workers, which one this is: each conversation belongs to one of them. Default: the only one. */
  share?: Share;
  /** After a crash, what was at hand comes again after this time. Default 15 s. */
  ackWaitMs?: number;
  /** Where a worker that never ran before begins, in epoch milliseconds; by default with all that the stream has. */
  sinceMs?: number;
  /** Is told of what goes wrong beside the turns' own outcomes. */
  onProblem?: (what: string, error: unknown) => void;
}

/**
 * Reads the turns of one agent and hands each to a handler, once. Of one conversation there is one turn at a time, in
 * order; a Hold or a newer epoch aborts it and drops those that wait. A durable consumer remembers the place: what was
 * not finished comes again after a restart, before anything newer.
 */
export class AgentWorker {
  private readonly lanes: ConversationLanes;
  /** Messages whose turns wait or run, by `turn_id`. */
  private readonly atHand = new Map<string, TurnMessage>();
  private readonly finishedTurns = new Recent<string, true>(REMEMBERED_TURNS);
  private readonly stopping = new AbortController();
  private intake: TurnIntake | undefined;
  private messages: ConsumerMessages | undefined;
  private consumerInfo: (() => Promise<unknown>) | undefined;
  private handler: TurnHandler | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly options: AgentWorkerOptions) {
    this.lanes = new ConversationLanes({
      concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
      work: (task) => this.work(task),
      dropped: (turn) => this.finish(turn),
    });
  }

  /** Begins to work: every turn goes to the handler. */
  onTurn(handler: TurnHandler): void {
    if (this.handler !== undefined) throw new Error('This worker has a handler already.');
    this.handler = handler;
    this.running = this.run();
  }

  /**
   * Begins no further turn and waits for those under way, for `graceMs` at most; then their signals abort. What is not
   * finished is given back and comes again after the next start.
   */
  async stop({ graceMs = DEFAULT_GRACE_MS } = {}): Promise<void> {
    if (this.stopping.signal.aborted) return this.running;
    this.stopping.abort();
    const waiting = this.lanes.close();
    await this.messages?.close();
    // Asking makes the server forget requests that nobody waits for any more; with one of them left, nats-server 2.9
    // takes a message that is given back for sent.
    await this.consumerInfo?.().catch(() => undefined);
    const timer = setTimeout(() => this.lanes.abortAll(), graceMs);
    const left = [...waiting.flatMap(({ turn_id }) => this.takeAway(turn_id)), ...(this.intake?.waiting ?? [])];
    for (const message of left.sort((a, b) => a.seq - b.seq)) this.giveBack(message);
    await this.lanes.finished();
    clearTimeout(timer);
    await this.running;
    await this.flush();
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    const heard = this.listen();
    const beat = setInterval(() => this.stillWorking(), this.ackWaitMs / 3);
    while (!signal.aborted) {
      try {
        await this.consume();
      } catch (error) {
        if (!signal.aborted) this.report('the turn stream cannot be read; it is tried again', error);
      }
      await pause(RETRY_MS, signal);
    }
    await this.lanes.finished();
    clearInterval(beat);
    heard.unsubscribe();
  }

  private async consume(): Promise<void> {
    const { nc, agentId, sinceMs } = this.options;
    const settings = { nc, agentId, share: this.share, ackWaitMs: this.ackWaitMs, maxAtHand: MAX_AT_HAND, sinceMs };
    const { messages, leftBefore, info } = await openTurnConsumer(settings);
    this.messages = messages;
    this.consumerInfo = info;
    if (this.stopping.signal.aborted) await messages.close();
    const ended = new AbortController();
    const intake = new TurnIntake(leftBefore > this.atHand.size, (message) => this.take(message));
    this.intake = intake;
    const isLeft = async () => (await info()).num_ack_pending > this.atHand.size + intake.waiting.length;
    const waiting = this.releaseWhenBack(intake, isLeft, ended.signal);
    try {
      for await (const message of messages) intake.add(message);
    } finally {
      ended.abort();
      await waiting;
    }
  }

  /** Waits until nothing unacknowledged is missing, but not longer than the server takes to send it again. */
  private async releaseWhenBack(intake: TurnIntake, isLeft: () => Promise<boolean>, ended: AbortSignal): Promise<void> {
    const giveUpAtMs = performance.now() + 2 * this.ackWaitMs;
    while (intake.isWaiting && !ended.aborted) {
      await pause(LOOK_AGAIN_MS, ended);
      const late = performance.now() > giveUpAtMs;
      const back = late || !(await isLeft().catch(() => true));
      if (back && !ended.aborted) intake.release();
    }
  }

  /** Holds are also heard as they are published: the consumer brings them no sooner than it has room. */
  private listen(): Subscription {
    return this.options.nc.subscribe(turnSubjects(this.options.agentId), {
      callback: (error, message) => {
        if (error !== null) return this.report('Holds are not heard at once, only read', error);
        const read = isOfShare(message.subject, this.share) ? parsed(message) : undefined;
        if (read !== undefined) this.lanes.enter(message.subject, read.epoch);
      },
    });
  }

  private take(message: TurnMessage): void {
    if (this.stopping.signal.aborted) return this.giveBack(message);
    if (!isOfShare(message.subject, this.share)) return this.acknowledge(message);
    const read = parsed(message);
    if (read === undefined) {
      this.report('neither a turn nor a hold; passed over', new Error(message.subject));
      return this.acknowledge(message);
    }
    const outdated = !this.lanes.enter(message.subject, read.epoch);
    if (outdated || read.kind === 'hold' || this.finishedTurns.get(read.turn_id)) return this.acknowledge(message);
    const known = this.atHand.get(read.turn_id);
    if (known !== undefined && known.seq !== message.seq) return this.acknowledge(message);
    this.atHand.set(read.turn_id, message);
    if (known === undefined) this.lanes.add(message.subject, read);
  }

  private async work({ turn, signal }: LaneTask): Promise<void> {
    const agentTurn = new AgentTurn(this.options.nc, turn, signal);
    try {
      await this.handler?.(agentTurn);
    } catch (error) {
      if (!signal.aborted) await this.tellFailure(agentTurn, error);
    }
    const isCutOff = this.stopping.signal.aborted && signal.aborted && !agentTurn.isAnswered;
    if (isCutOff) for (const message of this.takeAway(turn.turn_id)) this.giveBack(message);
    else this.finish(turn);
  }

  private async tellFailure(turn: AgentTurn, error: unknown): Promise<void> {
    this.report(`the handler failed at turn ${turn.id}`, error);
    const detail = error instanceof Error ? error.name : 'error';
    await turn.failed(detail).catch((failure: unknown) => this.report('a failed turn was not told', failure));
  }

  /** The turn is over: it does not come again. */
  private finish(turn: Turn): void {
    this.finishedTurns.set(turn.turn_id, true);
    for (const message of this.takeAway(turn.turn_id)) this.acknowledge(message);
  }

  private giveBack(message: TurnMessage): void {
    if (!this.options.nc.isClosed()) message.nak();
  }

  private takeAway(turnId: string): TurnMessage[] {
    const message = this.atHand.get(turnId);
    this.atHand.delete(turnId);
    return message === undefined ? [] : [message];
  }

  private stillWorking(): void {
    if (this.options.nc.isClosed()) return;
    for (const message of this.atHand.values()) message.working();
    for (const message of this.intake?.waiting ?? []) message.working();
  }

  private acknowledge(message: TurnMessage): void {
    if (!this.options.nc.isClosed()) message.ack();
  }

  private async flush(): Promise<void> {
    if (!this.options.nc.isClosed()) await this.options.nc.flush().catch(() => undefined);
  }

  private get share(): Share {
    return this.options.share ?? THE_ONLY_ONE;
  }

  private get ackWaitMs(): number {
    return this.options.ackWaitMs ?? DEFAULT_ACK_WAIT_MS;
  }

  private report(what: string, error: unknown): void {
    this.options.onProblem?.(what, error);
  }
}

function parsed(message: Pick<Msg, 'json'>): TurnStreamMessage | undefined {
  try {
    return TurnStreamMessage.parse(message.json());
  } catch {
    return undefined;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
    function end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}
