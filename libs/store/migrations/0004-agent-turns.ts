import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What of a conversation is answered, as places in the order of arrival; and replies of the agent that were kept. */
export class AgentTurns1764720000000 implements MigrationInterface {
  readonly name = 'AgentTurns1764720000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`LOCK TABLE conversations IN ACCESS EXCLUSIVE MODE`);
    // Nobody knows what was answered so far, so that none of it is asked again: with the lock on the table, whatever
    // was stored has a number below this one. A constant default rewrites no row.
    const [{ known }] = (await runner.query(`SELECT last_value + 1024 AS known FROM arrivals`)) as [{ known: string }];
    await runner.query(`
      ALTER TABLE conversations
        ADD COLUMN answered_arrival bigint NOT NULL DEFAULT ${known},
        ADD COLUMN agent_answered_arrival bigint NOT NULL DEFAULT -1,
        ADD COLUMN operator_answered_arrival bigint NOT NULL DEFAULT -1,
        ADD COLUMN resumed_arrival bigint NOT NULL DEFAULT -1;
      ALTER TABLE conversations ALTER COLUMN answered_arrival SET DEFAULT -1;

      CREATE TABLE resume_turns (
        turn_id uuid PRIMARY KEY,
        conversation_id uuid NOT NULL,
        epoch bigint NOT NULL,
        last_arrival bigint NOT NULL
      );

      CREATE TABLE drafts (
        draft_id uuid PRIMARY KEY,
        conversation_id uuid NOT NULL,
        turn_id uuid NOT NULL,
        content_sha256 bytea NOT NULL,
        action text NOT NULL,
        reason text NOT NULL CHECK (reason IN ('paused', 'stale_epoch')),
        status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'sent', 'discarded')),
        outbound_id uuid,
        created_at_ms bigint NOT NULL,
        closed_at_ms bigint,
        UNIQUE (turn_id, content_sha256)
      );
      CREATE INDEX drafts_conversation ON drafts (conversation_id, created_at_ms);
      CREATE INDEX drafts_created ON drafts (created_at_ms);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup taken before the upgrade instead.');
  }
}
