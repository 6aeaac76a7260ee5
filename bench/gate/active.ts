import type { Contender } from '../rounds.js';
import type { Workload } from '../workload.js';
import { assertSame, bySampleOrder, messagesAppended, messagesOfTurns } from './expectations.js';
import type { GateRunner } from './gate-runner.js';
import { type EventRecord, readRange, type TurnRecord } from './stream-content.js';

/** (e) The gate, every conversation active: each message is stored and becomes a turn. */
export class ActiveContender implements Contender {
  readonly name = 'active';

  constructor(
    private readonly runner: GateRunner,
    private readonly workload: Workload,
    private readonly messages: number,
  ) {}

  async round(): Promise<number> {
    const samples = this.workload.spread(this.messages);
    const fill = await this.runner.fill(samples);
    const drained = await this.runner.withGate(() => this.runner.drain(fill));
    const turns = await readRange<TurnRecord>(this.runner.nc, drained.turns);
    assertSame(messagesOfTurns(turns), bySampleOrder(samples), 'Turns');
    const events = await readRange<EventRecord>(this.runner.nc, drained.events);
    assertSame(messagesAppended(events), bySampleOrder(samples), 'Events about the transcript');
    return drained.messagesPerSecond;
  }
}
