import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an active inbound writes, made small: no index moves with every message, and the outbox refers to the entry. */
export class LeanInbounds1764547200000 implements MigrationInterface {
  readonly name = 'LeanInbounds1764547200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- An update that changes no indexed column is far cheaper, and most leave the minute as it is.
      ALTER TABLE conversations
        ADD COLUMN activity_minute bigint NOT NULL GENERATED ALWAYS AS (last_activity_ms / 60000) STORED;
      DROP INDEX conversations_last_activity;
      CREATE INDEX conversations_activity ON conversations (activity_minute DESC);

      -- A row with an inbound stands for its turn and the event of its line, which are built from the entry.
      ALTER TABLE outbox
        ADD COLUMN inbound_id uuid,
        ALTER COLUMN subject DROP NOT NULL,
        ALTER COLUMN msg_id DROP NOT NULL,
        ADD CONSTRAINT outbox_whole_or_reference CHECK
          (inbound_id IS NOT NULL OR (subject IS NOT NULL AND msg_id IS NOT NULL));
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup taken before the upgrade instead.');
  }
}
