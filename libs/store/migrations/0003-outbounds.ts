import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every message to a channel, and what became of it; lines of a transcript know what became of theirs. */
export class Outbounds1764633600000 implements MigrationInterface {
  readonly name = 'Outbounds1764633600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbounds (
        outbound_id uuid PRIMARY KEY,
        conversation_id uuid NOT NULL,
        origin text NOT NULL CHECK (origin IN ('operator', 'agent', 'system', 'external')),
        operator text,
        turn_id uuid,
        epoch bigint NOT NULL,
        arrival bigint NOT NULL,
        answers_arrival bigint,
        channel text NOT NULL,
        account_id text NOT NULL,
        recipient text NOT NULL,
        body text NOT NULL,
        msg_kind text NOT NULL,
        attachments text,
        reply_to_msg_id text,
        text_sha256 bytea NOT NULL,
        session_id uuid,
        sender_id text,
        source_plugin text NOT NULL,
        status text NOT NULL
          CHECK (status IN ('sending', 'handed_over', 'sent', 'rejected', 'unavailable', 'unknown', 'recalled')),
        outbound_message_id text,
        reason text,
        detail text,
        delivery text CHECK (delivery IN ('delivered', 'read', 'failed')),
        delivery_detail text,
        delivery_at_ms bigint,
        entry_seq bigint,
        idempotency_key text,
        content_sha256 bytea,
        command text,
        created_at_ms bigint NOT NULL,
        settled_at_ms bigint,
        expires_at_ms bigint
      ) WITH (fillfactor = 70);
      CREATE UNIQUE INDEX outbounds_idempotency ON outbounds (conversation_id, operator, idempotency_key)
        WHERE idempotency_key IS NOT NULL;
      CREATE INDEX outbounds_conversation ON outbounds (conversation_id, arrival);
      CREATE INDEX outbounds_expiry ON outbounds (expires_at_ms) WHERE expires_at_ms IS NOT NULL;
      CREATE INDEX outbounds_message ON outbounds (outbound_message_id) WHERE outbound_message_id IS NOT NULL;
      CREATE INDEX outbounds_text ON outbounds (text_sha256, created_at_ms);

      CREATE INDEX conversations_contact ON conversations (contact_id, channel, account_id);

      ALTER TABLE entries ADD COLUMN delivery text;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup taken before the upgrade instead.');
  }
}
