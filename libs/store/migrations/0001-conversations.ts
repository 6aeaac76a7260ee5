import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The record of conversations: who holds them, what was said, what waits, and what is still to be published. */
export class Conversations1764460800000 implements MigrationInterface {
  readonly name = 'Conversations1764460800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A transaction takes one block of 1,024 numbers, so that what it stores has an order of arrival.
      CREATE SEQUENCE arrivals START WITH 0 MINVALUE 0 INCREMENT BY 1024;

      CREATE TABLE conversations (
        conversation_id uuid PRIMARY KEY,
        agent_id text NOT NULL,
        channel text NOT NULL,
        account_id text NOT NULL,
        contact_id text NOT NULL,
        mcp_channel_source text,
        session_id uuid NOT NULL,
        epoch bigint NOT NULL DEFAULT 0,
        state text NOT NULL DEFAULT 'agent_active' CHECK (state IN ('agent_active', 'paused_by_operator')),
        paused_at_ms bigint,
        paused_arrival bigint,
        operator_token_hash text,
        pause_reason text,
        auto_resume_at_ms bigint,
        buffer_head bigint NOT NULL DEFAULT 0,
        buffer_tail bigint NOT NULL DEFAULT 0,
        taken_back bigint NOT NULL DEFAULT 0,
        dropped_total bigint NOT NULL DEFAULT 0,
        last_activity_ms bigint NOT NULL
      ) WITH (fillfactor = 70);
      CREATE INDEX conversations_last_activity ON conversations (last_activity_ms DESC, conversation_id DESC);
      CREATE INDEX conversations_paused ON conversations (paused_at_ms) WHERE state = 'paused_by_operator';
      CREATE INDEX conversations_auto_resume ON conversations (auto_resume_at_ms) WHERE auto_resume_at_ms IS NOT NULL;

      CREATE TABLE sessions (
        session_id uuid,
        agent_id text,
        next_seq bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (session_id, agent_id)
      ) WITH (fillfactor = 70);

      CREATE TABLE entries (
        session_id uuid,
        agent_id text,
        seq bigint,
        conversation_id uuid NOT NULL,
        arrival bigint NOT NULL,
        event_id uuid NOT NULL,
        role text NOT NULL,
        body text NOT NULL,
        sent_at_ms bigint NOT NULL,
        sender_id text,
        source_plugin text NOT NULL,
        message_id uuid,
        attachments text,
        replayed boolean NOT NULL DEFAULT false,
        PRIMARY KEY (session_id, seq, agent_id)
      );
      CREATE INDEX entries_conversation_arrival ON entries (conversation_id, arrival);
      CREATE INDEX entries_agent_time ON entries (agent_id, sent_at_ms DESC);
      CREATE INDEX entries_search ON entries USING gin (to_tsvector('simple', left(body, 32768)));

      CREATE TABLE inbounds (
        inbound_id uuid PRIMARY KEY,
        conversation_id uuid NOT NULL,
        arrival bigint NOT NULL,
        session_id uuid,
        entry_seq bigint
      );

      CREATE TABLE buffered_inbounds (
        conversation_id uuid,
        position bigint,
        inbound_id uuid NOT NULL,
        arrival bigint NOT NULL,
        taken_back boolean NOT NULL DEFAULT false,
        drained boolean NOT NULL DEFAULT false,
        session_id uuid,
        entry_seq bigint,
        message_id uuid,
        from_contact_id text NOT NULL,
        body text NOT NULL,
        timestamp_ms bigint NOT NULL,
        source_plugin text NOT NULL,
        attachments text,
        evicts_below bigint NOT NULL,
        buffered_at_ms bigint NOT NULL,
        PRIMARY KEY (conversation_id, position)
      );

      CREATE TABLE events (
        event_id uuid PRIMARY KEY,
        agent_id text NOT NULL,
        kind text NOT NULL,
        at_ms bigint NOT NULL,
        payload text NOT NULL
      );
      CREATE INDEX events_agent_time ON events (agent_id, at_ms DESC);

      CREATE TABLE outbox (
        ordering_key uuid,
        id bigint GENERATED ALWAYS AS IDENTITY,
        kind text NOT NULL CHECK (kind IN ('turn', 'hold', 'event', 'quarantine')),
        subject text NOT NULL,
        msg_id text NOT NULL,
        payload text,
        raw bytea,
        headers text,
        inbound_ids uuid[],
        event_id uuid,
        entry_seq bigint,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (ordering_key, id)
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);

      CREATE TABLE unpublishable (
        outbox_id bigint PRIMARY KEY,
        ordering_key uuid NOT NULL,
        kind text NOT NULL,
        subject text NOT NULL,
        msg_id text NOT NULL,
        payload text,
        raw bytea,
        headers text,
        reason text NOT NULL,
        refused_at timestamptz NOT NULL DEFAULT now()
      );

      CREATE TABLE partitions (
        partition int PRIMARY KEY,
        owner uuid,
        owner_epoch bigint NOT NULL DEFAULT 0,
        lease_until timestamptz,
        cursor bigint NOT NULL DEFAULT 0,
        stream_created text
      );

      CREATE TABLE operators (
        token_hash text PRIMARY KEY,
        token_sha256 bytea NOT NULL UNIQUE,
        name text NOT NULL,
        capabilities text[] NOT NULL,
        created_at_ms bigint NOT NULL,
        revoked_at_ms bigint
      );

      CREATE TABLE audit_log (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at_ms bigint NOT NULL,
        operator text NOT NULL,
        method text NOT NULL,
        scope text,
        agent_id text,
        outcome text NOT NULL CHECK (outcome IN ('ok', 'refused', 'error')),
        changed boolean NOT NULL,
        reason text,
        correlation_id uuid NOT NULL,
        params_sha256 text NOT NULL
      );
      CREATE INDEX audit_log_unknown ON audit_log (at_ms) WHERE operator = 'unknown';
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup taken before the upgrade instead.');
  }
}
