import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every time that an agent asked for a person, and what came of it. */
export class Escalations1764892800000 implements MigrationInterface {
  readonly name = 'Escalations1764892800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE escalations (
        escalation_id uuid PRIMARY KEY,
        conversation_id uuid NOT NULL,
        agent_id text NOT NULL,
        summary text NOT NULL,
        reason text NOT NULL,
        urgency text NOT NULL,
        context text,
        requested_at_ms bigint NOT NULL,
        acknowledge_at_ms bigint,
        alarms smallint NOT NULL DEFAULT 0,
        resolved_at_ms bigint,
        resolved_by text CHECK (resolved_by IN ('operator_takeover', 'operator_dismissed', 'agent_resolved')),
        dismiss_reason text,
        CHECK ((resolved_at_ms IS NULL) = (resolved_by IS NULL))
      );
      CREATE UNIQUE INDEX escalations_pending ON escalations (conversation_id) WHERE resolved_at_ms IS NULL;
      CREATE INDEX escalations_waiting ON escalations (requested_at_ms) WHERE resolved_at_ms IS NULL;
      CREATE INDEX escalations_resolved ON escalations (resolved_at_ms DESC) WHERE resolved_at_ms IS NOT NULL;
      CREATE INDEX escalations_conversation ON escalations (conversation_id, requested_at_ms);
      CREATE INDEX escalations_acknowledge ON escalations (acknowledge_at_ms) WHERE acknowledge_at_ms IS NOT NULL;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup taken before the upgrade instead.');
  }
}
