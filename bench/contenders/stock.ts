import type { NatsConnection } from '@nats-io/nats-core';

import { forkService, type StopService } from '../child-service.js';
import type { Contender } from '../rounds.js';
import {
  CONVERSATIONS,
  conversationOf,
  indexOfMessage,
  messageOf,
  type Sample,
  type SampleMessage,
  scopeOf,
  type Workload,
} from '../workload.js';
import { messagesPerSecond } from './batching.js';
import { STOCK_INBOUND, STOCK_TURN, StockConversation, stockDataSource } from './stock-schema.js';

const WARM_UP_MESSAGES = 500;
const SILENCE_LIMIT_MS = 20_000;

/** Counts of turns. */
export interface StockOrder {
  turns: number;
  /** Came out after the turn of a later message, of whichever conversation. */
  overtaken: number;
  /** Came out after the turn of a later message of the same conversation. */
  overtakenInConversation: number;
}

/** (a) Nest's NATS transport and a TypeORM repository, flooded: all messages of a round are sent at once. */
export class StockContender implements Contender {
  readonly name = 'stock';
  readonly order: StockOrder = { turns: 0, overtaken: 0, overtakenInConversation: 0 };
  private stopService: StopService | undefined;

  constructor(
    private readonly databaseUrl: string,
    private readonly nc: NatsConnection,
    private readonly natsUrl: string,
    private readonly workload: Workload,
    private readonly messages: number,
  ) {}

  async prepare(): Promise<void> {
    const dataSource = await stockDataSource(this.databaseUrl).initialize();
    const rows = Array.from({ length: CONVERSATIONS }, (_, conversation) => {
      const scope = scopeOf(conversation);
      return {
        agentId: scope.agent_id,
        channel: scope.channel,
        accountId: scope.account_id,
        contactId: scope.contact_id,
      };
    });
    for (let start = 0; start < rows.length; start += 1_000) {
      await dataSource.getRepository(StockConversation).insert(rows.slice(start, start + 1_000));
    }
    await dataSource.destroy();
    this.stopService = await forkService(new URL('./stock-service.js', import.meta.url), {
      DATABASE_URL: this.databaseUrl,
      NATS_URL: this.natsUrl,
    });
    await this.flood(WARM_UP_MESSAGES);
  }

  async round(): Promise<number> {
    let turns: Sample[] = [];
    const rate = await messagesPerSecond(this.messages, async () => {
      turns = await this.flood(this.messages);
    });
    this.countOvertaken(turns);
    return rate;
  }

  async close(): Promise<void> {
    await this.stopService?.();
  }

  /** Resolves with what the turns answer, in the order in which they came, once there is one for every message. */
  private async flood(count: number): Promise<Sample[]> {
    const payloads = this.workload.spread(count).map(asNestEvent);
    const answered: Sample[] = [];
    const turns = this.nc.subscribe(STOCK_TURN, { max: count });
    for (const payload of payloads) this.nc.publish(STOCK_INBOUND, payload);
    let answeredBefore = 0;
    const watchdog = setInterval(() => {
      if (answered.length === answeredBefore) turns.unsubscribe();
      answeredBefore = answered.length;
    }, SILENCE_LIMIT_MS);
    for await (const message of turns) {
      const { data } = message.json<{ data: SampleTurn }>();
      answered.push({
        conversation: conversationOf(data.scope),
        index: indexOfMessage(data.inbounds[0]!.message_id),
      });
    }
    clearInterval(watchdog);
    if (answered.length !== count) throw new Error(`The stock service emitted ${answered.length} of ${count} turns.`);
    return answered;
  }

  private countOvertaken(turns: readonly Sample[]): void {
    const latestOf = new Map<number, number>();
    let latest = -1;
    for (const { conversation, index } of turns) {
      const latestInConversation = latestOf.get(conversation) ?? -1;
      this.order.turns++;
      if (index < latest) this.order.overtaken++;
      if (index < latestInConversation) this.order.overtakenInConversation++;
      latest = Math.max(latest, index);
      latestOf.set(conversation, Math.max(latestInConversation, index));
    }
  }
}

interface SampleTurn {
  scope: SampleMessage['scope'];
  inbounds: SampleMessage['inbound'][];
}

function asNestEvent(sample: Sample): string {
  return JSON.stringify({ pattern: STOCK_INBOUND, data: messageOf(sample) });
}
