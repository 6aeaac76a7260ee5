import { randomUUID } from 'node:crypto';

import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';

import type { Hold } from '#contracts/hold.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { STREAMS, turnSubject } from '#contracts/subjects.js';
import type { Turn } from '#contracts/turn.js';
import type { AgentTurn } from '#sdk/agent-turn.js';
import { AgentWorker, type AgentWorkerOptions, type TurnHandler } from '#sdk/agent-worker.js';

import { TestBroker } from './broker.js';
import { waitFor } from './wait-for.js';

export const AGENT = 'ana';

/** A conversation of the agent. */
export function scopeOf(contact_id: string): ConversationScope {
  return { kind: 'conversation', agent_id: AGENT, channel: 'whatsapp', account_id: '55', contact_id };
}

/** The text of a turn's first inbound. */
export function textOf({ inbounds }: Pick<AgentTurn, 'inbounds'>): string {
  return inbounds[0]?.body ?? '';
}

/** Resolves when the signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Workers of an agent, and the turns that a test gives them in Holdline's place. */
export class AgentBench {
  /** What the workers reported. */
  problems: string[] = [];
  private workers: AgentWorker[] = [];
  private hanging: (() => void)[] = [];

  private constructor(
    readonly broker: TestBroker,
    private readonly nc: NatsConnection,
    readonly jsm: JetStreamManager,
  ) {}

  static async create(): Promise<AgentBench> {
    const broker = await TestBroker.start();
    const nc = await broker.connect();
    return new AgentBench(broker, nc, await jetstreamManager(nc));
  }

  async start(handler: TurnHandler, options: Partial<AgentWorkerOptions> = {}): Promise<AgentWorker> {
    const nc = options.nc ?? (await this.broker.connect());
    const onProblem = (what: string) => void this.problems.push(what);
    const worker = new AgentWorker({ agentId: AGENT, onProblem, ...options, nc });
    worker.onTurn(handler);
    this.workers.push(worker);
    return worker;
  }

  /** For a handler that hangs until the test is over, as if its process had died. */
  hang(): Promise<void> {
    return new Promise((resolve) => this.hanging.push(resolve));
  }

  turn(scope: ConversationScope, body: string, epoch = 0): Turn {
    return {
      kind: 'turn',
      turn_id: randomUUID(),
      agent_id: AGENT,
      scope,
      session_id: randomUUID(),
      epoch,
      cause: 'inbound',
      inbounds: [{ from_contact_id: scope.contact_id, body, timestamp_ms: 1, source_plugin: 'test' }],
    };
  }

  async publish(message: Turn | Hold): Promise<void> {
    await jetstream(this.nc).publish(turnSubject(message.scope), JSON.stringify(message));
  }

  async say(scope: ConversationScope, body: string, epoch = 0): Promise<Turn> {
    const turn = this.turn(scope, body, epoch);
    await this.publish(turn);
    return turn;
  }

  hold(scope: ConversationScope, epoch: number): Promise<void> {
    return this.publish({ kind: 'hold', agent_id: AGENT, scope, epoch });
  }

  async publishNonsense(scope: ConversationScope): Promise<void> {
    await jetstream(this.nc).publish(turnSubject(scope), 'not JSON');
  }

  consumer(durable = AGENT) {
    return this.jsm.consumers.info(STREAMS.turns, durable);
  }

  /** Waits until the consumer has `count` messages that are not acknowledged. */
  atHand(count: number) {
    const what = `${count} messages at hand`;
    return waitFor(async () => (await this.consumer()).num_ack_pending === count, { timeoutMs: 20_000, what });
  }

  /** Waits until every message is acknowledged. */
  allAcknowledged(durable = AGENT) {
    return waitFor(
      async () => {
        const { num_ack_pending, num_pending } = await this.consumer(durable);
        return num_ack_pending === 0 && num_pending === 0;
      },
      { timeoutMs: 20_000, what: 'The acknowledgement of every message' },
    );
  }

  /** After each test: ends its workers and empties the stream. */
  async clear(): Promise<void> {
    for (const end of this.hanging.splice(0)) end();
    await Promise.all(this.workers.splice(0).map((worker) => worker.stop({ graceMs: 0 })));
    for await (const { name } of this.jsm.consumers.list(STREAMS.turns)) {
      await this.jsm.consumers.delete(STREAMS.turns, name);
    }
    await this.jsm.streams.purge(STREAMS.turns);
    this.problems = [];
  }

  close(): Promise<void> {
    return this.broker.close();
  }
}
