import pg from 'pg';

import type { ConversationScope } from '#contracts/processing-scope.js';
import { conversationId } from '#domain/conversation/conversation-id.js';
import { lockOutbox } from '#store/queries/lock-outbox.js';
import type { Transaction } from '#store/transaction.js';

import type { TestDatabase } from '../../harness/postgres.js';
import { waitFor } from '../../harness/wait-for.js';

/** A row that the test has locked: whoever wants to write it queues up behind. */
export class HeldRow {
  private constructor(
    private readonly database: TestDatabase,
    /** Whose transaction has the lock. */
    readonly client: pg.Client,
  ) {}

  /** Of a conversation, which all who write it lock first. */
  static of(database: TestDatabase, scope: ConversationScope): Promise<HeldRow> {
    return HeldRow.lock(database, 'conversations WHERE conversation_id = $1', [conversationId(scope)]);
  }

  /** Of a transcript, which whoever appends to it locks in the middle of his work. */
  static ofTranscript(database: TestDatabase, agentId: string, sessionId: string): Promise<HeldRow> {
    return HeldRow.lock(database, 'sessions WHERE agent_id = $1 AND session_id = $2', [agentId, sessionId]);
  }

  /** The outbox of a conversation: nothing of it is published meanwhile, and a pause waits. */
  static async ofOutbox(database: TestDatabase, scope: ConversationScope): Promise<HeldRow> {
    const client = await HeldRow.begin(database);
    const rows = async (statement: { text: string }, values: unknown[] = []) =>
      (await client.query(statement.text, values)).rows;
    await lockOutbox({ rows } as unknown as Transaction, conversationId(scope));
    return new HeldRow(database, client);
  }

  private static async begin(database: TestDatabase): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: database.url, application_name: 'test holder' });
    await client.connect();
    await client.query('BEGIN');
    return client;
  }

  private static async lock(database: TestDatabase, row: string, key: string[]): Promise<HeldRow> {
    const client = await HeldRow.begin(database);
    const { rowCount } = await client.query(`SELECT FROM ${row} FOR UPDATE`, key);
    if (rowCount !== 1) throw new Error('there is no such row yet');
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
    await waitFor(isWaitedFor, { timeoutMs: 4_000, what: `${count} waiting for the row` });
  }

  /** Breaks the connections of all who wait. */
  async breakWaiting(): Promise<void> {
    await this.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
  }

  async release(): Promise<void> {
    await this.client.query('COMMIT');
    await this.client.end();
  }
}
