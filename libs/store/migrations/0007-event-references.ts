import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An event that is in the log is not written to the outbox a second time: the outbox refers to it. */
export class EventReferences1764979200000 implements MigrationInterface {
  readonly name = 'EventReferences1764979200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Until now a turn that waits could carry the event of its line; as a reference it stands for both.
      UPDATE outbox SET inbound_id = msg_id::uuid, event_id = NULL, subject = NULL, msg_id = NULL, payload = NULL
      WHERE event_id IS NOT NULL;
      ALTER TABLE outbox
        DROP COLUMN entry_seq,
        DROP CONSTRAINT outbox_whole_or_reference,
        ADD CONSTRAINT outbox_whole_or_reference CHECK
          (num_nonnulls(inbound_id, event_id, subject) = 1 AND (subject IS NULL) = (msg_id IS NULL));
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup taken before the upgrade instead.');
  }
}
