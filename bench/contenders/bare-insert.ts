import { randomUUID } from 'node:crypto';

import pg from 'pg';

import type { Contender } from '../rounds.js';
import { CONVERSATIONS, messageOf, type Sample, type Workload } from '../workload.js';
import { type Batching, messagesPerSecond } from './batching.js';

const INSERT = {
  name: 'bare-insert',
  text: `
    INSERT INTO bare_entries (session_id, agent_id, seq, conversation_id, arrival, event_id, role, body, sent_at_ms,
                              sender_id, source_plugin, message_id, attachments, replayed)
    SELECT session_id, agent_id, seq, conversation_id, arrival, event_id, 'user', body, sent_at_ms,
           sender_id, source_plugin, message_id, attachments, false
    FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::uuid[], $5::bigint[], $6::uuid[], $7::text[], $8::bigint[],
                $9::text[], $10::text[], $11::uuid[], $12::text[])
      AS batch (session_id, agent_id, seq, conversation_id, arrival, event_id, body, sent_at_ms,
                sender_id, source_plugin, message_id, attachments)`,
};

interface ConversationKeys {
  conversationId: string;
  sessionId: string;
  nextSeq: number;
}

/** (c) The least that storing a transcript costs: its rows with its indexes, on one connection, and nothing else. */
export class BareInsertContender implements Contender {
  readonly name = 'bare';
  private readonly client: pg.Client;
  private readonly conversations: ConversationKeys[] = Array.from({ length: CONVERSATIONS }, () => ({
    conversationId: randomUUID(),
    sessionId: randomUUID(),
    nextSeq: 0,
  }));

  /** The database of `databaseUrl` has the project's tables. */
  constructor(
    databaseUrl: string,
    private readonly workload: Workload,
    private readonly batching: Batching,
  ) {
    this.client = new pg.Client({ connectionString: databaseUrl });
  }

  async prepare(): Promise<void> {
    await this.client.connect();
    await this.client.query('DROP TABLE IF EXISTS bare_entries');
    await this.client.query('CREATE TABLE bare_entries (LIKE entries INCLUDING ALL)');
  }

  async round(): Promise<number> {
    await this.insert(this.batches(this.batching.batchSize * 20));
    const batches = this.batches(this.batching.messages);
    return messagesPerSecond(this.batching.messages, () => this.insert(batches));
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  private async insert(batches: unknown[][]): Promise<void> {
    for (const values of batches) await this.client.query({ ...INSERT, values });
  }

  private batches(count: number): unknown[][] {
    const samples = this.workload.spread(count);
    const batches: unknown[][] = [];
    for (let start = 0; start < count; start += this.batching.batchSize) {
      batches.push(this.columns(samples.slice(start, start + this.batching.batchSize)));
    }
    return batches;
  }

  private columns(samples: Sample[]): unknown[][] {
    const rows = samples.map((sample) => {
      const keys = this.conversations[sample.conversation]!;
      const { scope, inbound } = messageOf(sample);
      return [
        keys.sessionId,
        scope.agent_id,
        keys.nextSeq++,
        keys.conversationId,
        sample.index,
        randomUUID(),
        inbound.body,
        inbound.timestamp_ms,
        inbound.from_contact_id,
        inbound.source_plugin,
        inbound.message_id,
        null,
      ];
    });
    return rows[0]!.map((_, column) => rows.map((row) => row[column]));
  }
}
