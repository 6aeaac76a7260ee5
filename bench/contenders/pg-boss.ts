import PgBoss from 'pg-boss';

import type { Contender } from '../rounds.js';
import { messageOf, type Workload } from '../workload.js';
import { type Batching, messagesPerSecond } from './batching.js';

const QUEUE = 'inbounds';

/** (b) A job queue in the same database: each message is inserted, fetched and completed. */
export class PgBossContender implements Contender {
  readonly name = 'pg-boss';
  private readonly boss: PgBoss;

  constructor(
    databaseUrl: string,
    private readonly workload: Workload,
    private readonly batching: Batching,
  ) {
    this.boss = new PgBoss({ connectionString: databaseUrl, supervise: false, schedule: false });
  }

  async prepare(): Promise<void> {
    await this.boss.start();
    await this.boss.createQueue(QUEUE);
    await this.pass(this.batching.batchSize * 2);
  }

  async round(): Promise<number> {
    return messagesPerSecond(this.batching.messages, () => this.pass(this.batching.messages));
  }

  async close(): Promise<void> {
    await this.boss.stop({ graceful: false, close: true, wait: true });
  }

  private async pass(count: number): Promise<void> {
    const jobs = this.workload.spread(count).map((sample) => ({ name: QUEUE, data: messageOf(sample) }));
    let completed = 0;
    for (let start = 0; start < count; start += this.batching.batchSize) {
      await this.boss.insert(jobs.slice(start, start + this.batching.batchSize));
      const fetched = await this.boss.fetch(QUEUE, { batchSize: this.batching.batchSize });
      await this.boss.complete(
        QUEUE,
        fetched.map((job) => job.id),
      );
      completed += fetched.length;
    }
    if (completed !== count) throw new Error(`pg-boss completed ${completed} of ${count} jobs.`);
  }
}
