import pg from 'pg';

import type { ConversationScope } from '#contracts/processing-scope.js';
import { conversationId } from '#domain/conversation/conversation-id.js';

import type { TestDatabase } from '../../harness/postgres.js';
import { waitFor } from '../../harness/wait-for.js';

/** The row of a conversation, locked by the test: whoever wants to write the conversation queues up behind it. */
export class HeldRow {
  private constructor(
    private readonly database: TestDatabase,
    private readonly client: pg.Client,
  ) {}

  static async of(database: TestDatabase, scope: ConversationScope): Promise<HeldRow> {
    const client = new pg.Client({ connectionString: database.url, application_name: 'test holder' });
    await client.connect();
    await client.query('BEGIN');
    const { rowCount } = await client.query('SELECT FROM conversations WHERE conversation_id = $1 FOR UPDATE', [
      conversationId(scope),
    ]);
    if (rowCount !== 1) throw new Error('there is no such conversation yet');
    return new HeldRow(database, client);
  }

  /** Waits until that many others wait for a lock. */
  async untilWaitedFor(count: number): Promise<void> {
    const isWaitedFor = async () => {
      const [row] = await this.database.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return row?.waiting === count;
    };
    await waitFor(isWaitedFor, { timeoutMs: 4_000, what: `${count} waiting for the conversation` });
  }

  async release(): Promise<void> {
    await this.client.query('COMMIT');
    await this.client.end();
  }
}
