import type { Contender } from '../rounds.js';
import { CONVERSATIONS, indexOfMessage, type Sample, type Workload } from '../workload.js';
import {
  assertSame,
  type ByConversation,
  emptyByConversation,
  type ExpectedBuffers,
  messagesDropped,
  messagesOfTurns,
} from './expectations.js';
import type { Drained, GateRunner } from './gate-runner.js';
import { ALL_CONVERSATIONS, forEachConversation, type Operator } from './operator.js';
import { type EventRecord, readRange, type TurnRecord } from './stream-content.js';

/** All conversations under an operator, and what their buffers should hold. */
export interface HeldConversations {
  runner: GateRunner;
  operator: Operator;
  buffers: ExpectedBuffers;
}

/** Pauses every conversation. */
export async function holdAll(runner: GateRunner, operator: Operator): Promise<void> {
  await runner.withGate(async () => {
    await operator.waitForGate();
    await forEachConversation(ALL_CONVERSATIONS, (conversation) => operator.pause(conversation));
    await runner.outboxEmpties();
  });
}

/** (e) The gate, every conversation paused, no buffer full: each message is stored in a buffer. */
export class PausedContender implements Contender {
  readonly name = 'paused';

  constructor(
    private readonly held: HeldConversations,
    private readonly workload: Workload,
    private readonly messagesPerConversation: number,
  ) {}

  round(): Promise<number> {
    const perConversation = new Array<number>(CONVERSATIONS).fill(this.messagesPerConversation);
    return bufferAll(this.held, this.workload.exactly(perConversation));
  }

  check(): Promise<void> {
    return assertBuffers(this.held);
  }
}

/** (e) The gate, every conversation paused, every buffer full: each message is stored and the oldest one goes. */
export class EvictingContender implements Contender {
  readonly name = 'evicting';

  constructor(
    private readonly held: HeldConversations,
    private readonly workload: Workload,
    private readonly messages: number,
  ) {}

  async prepare(): Promise<void> {
    await bufferAll(this.held, this.workload.exactly(this.held.buffers.room()));
  }

  round(): Promise<number> {
    return bufferAll(this.held, this.workload.spread(this.messages));
  }

  check(): Promise<void> {
    return assertBuffers(this.held);
  }
}

async function bufferAll({ runner, buffers }: HeldConversations, samples: Sample[]): Promise<number> {
  const evicted = buffers.add(samples);
  const fill = await runner.fill(samples);
  const drained = await runner.withGate(() => runner.drain(fill), buffers.cap);
  await assertEvicted(runner, drained, evicted);
  return drained.messagesPerSecond;
}

async function assertEvicted(runner: GateRunner, drained: Drained, evicted: ByConversation): Promise<void> {
  const turns = await readRange<TurnRecord>(runner.nc, drained.turns);
  assertSame(messagesOfTurns(turns), emptyByConversation(), 'Turns');
  const events = await readRange<EventRecord>(runner.nc, drained.events);
  assertSame(messagesDropped(events), evicted, 'Evicted messages');
}

/** Asks for every buffer and compares. */
async function assertBuffers({ runner, operator, buffers }: HeldConversations): Promise<void> {
  const found = emptyByConversation();
  await runner.withGate(async () => {
    await operator.waitForGate();
    await forEachConversation(ALL_CONVERSATIONS, async (conversation) => {
      found[conversation] = (await operator.pendingMessageIds(conversation)).map(indexOfMessage);
    });
  }, buffers.cap);
  assertSame(found, buffers.contents, 'Buffered messages');
}
