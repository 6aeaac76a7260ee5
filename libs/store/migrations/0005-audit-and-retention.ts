import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit log becomes a chain that is only ever added to, and lines of transcripts get an age. */
export class AuditAndRetention1764806400000 implements MigrationInterface {
  readonly name = 'AuditAndRetention1764806400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE;
      ALTER TABLE audit_log ADD COLUMN position bigint, ADD COLUMN hash bytea;

      -- The newest row of the chain. Its lock is what puts the rows in order.
      CREATE TABLE audit_head (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        position bigint NOT NULL,
        hash bytea NOT NULL
      ) WITH (fillfactor = 50);
      INSERT INTO audit_head (position, hash) VALUES (0, sha256(''));

      -- A field as its length in bytes and its bytes, the length -1 where there is none: no two rows read alike.
      CREATE FUNCTION audit_field(value text) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
        SELECT CASE
          WHEN value IS NULL THEN int4send(-1)
          ELSE int4send(octet_length(convert_to(value, 'UTF8'))) || convert_to(value, 'UTF8')
        END
      $$;

      CREATE FUNCTION audit_row_hash(previous bytea, entry audit_log) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
        SELECT sha256(previous
          || audit_field(entry.position::text) || audit_field(entry.id::text) || audit_field(entry.at_ms::text)
          || audit_field(entry.operator) || audit_field(entry.method) || audit_field(entry.scope)
          || audit_field(entry.agent_id) || audit_field(entry.outcome) || audit_field(entry.changed::text)
          || audit_field(entry.reason) || audit_field(entry.correlation_id::text)
          || audit_field(entry.params_sha256))
      $$;

      -- Runs within the commit, so that the chain is locked for that long only and no process can hold it up.
      CREATE FUNCTION audit_log_chain() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        head audit_head;
        entry audit_log := NEW;
      BEGIN
        SELECT * INTO STRICT head FROM audit_head FOR UPDATE;
        entry.position := head.position + 1;
        entry.hash := audit_row_hash(head.hash, entry);
        UPDATE audit_log SET position = entry.position, hash = entry.hash WHERE id = NEW.id;
        UPDATE audit_head SET position = entry.position, hash = entry.hash;
        RETURN NULL;
      END $$;

      CREATE FUNCTION audit_log_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' AND NEW.position IS NULL AND NEW.hash IS NULL THEN
          RETURN NEW;
        END IF;
        IF TG_OP = 'UPDATE' AND OLD.position IS NULL
          AND to_jsonb(NEW) - '{position,hash}'::text[] = to_jsonb(OLD) - '{position,hash}'::text[] THEN
          RETURN NEW;
        END IF;
        RAISE insufficient_privilege USING MESSAGE = 'the audit log is only ever added to';
      END $$;

      -- The oldest rows may go once they are a day old, in order; a row of the chain then says up to where.
      CREATE FUNCTION audit_log_removed() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        now_ms bigint := extract(epoch FROM clock_timestamp()) * 1000;
        gone record;
      BEGIN
        SELECT count(*) AS rows, min(position) AS first, max(position) AS last, max(at_ms) AS newest_ms,
          encode((array_agg(hash ORDER BY position DESC))[1], 'hex') AS hash
        INTO gone FROM removed;
        IF gone.rows = 0 THEN
          RETURN NULL;
        END IF;
        IF (gone.rows = gone.last - gone.first + 1) IS NOT TRUE OR gone.newest_ms > now_ms - 86400000
          OR EXISTS (SELECT FROM audit_log WHERE position < gone.last) THEN
          RAISE insufficient_privilege USING MESSAGE = 'of the audit log only the oldest rows go, once they are a day old';
        END IF;
        INSERT INTO audit_log (at_ms, operator, method, outcome, changed, reason, correlation_id, params_sha256)
        VALUES (now_ms, 'system', 'retention/audit_log', 'ok', true, 'removed_through:' || gone.last, gen_random_uuid(),
          gone.hash);
        RETURN NULL;
      END $$;

      DO $$
      DECLARE
        head audit_head;
        entry audit_log;
      BEGIN
        SELECT * INTO STRICT head FROM audit_head;
        FOR entry IN SELECT * FROM audit_log ORDER BY id LOOP
          head.position := head.position + 1;
          entry.position := head.position;
          head.hash := audit_row_hash(head.hash, entry);
          UPDATE audit_log SET position = head.position, hash = head.hash WHERE id = entry.id;
        END LOOP;
        UPDATE audit_head SET position = head.position, hash = head.hash;
      END $$;

      CREATE UNIQUE INDEX audit_log_position ON audit_log (position);
      CREATE INDEX audit_log_operator ON audit_log (operator, position);
      CREATE INDEX audit_log_agent ON audit_log (agent_id, position);
      CREATE INDEX audit_log_method ON audit_log (method, position);
      CREATE INDEX audit_log_time ON audit_log (at_ms);

      CREATE TRIGGER audit_log_append_only BEFORE INSERT OR UPDATE ON audit_log
        FOR EACH ROW EXECUTE FUNCTION audit_log_append_only();
      CREATE TRIGGER audit_log_not_emptied BEFORE TRUNCATE ON audit_log
        FOR EACH STATEMENT EXECUTE FUNCTION audit_log_append_only();
      CREATE TRIGGER audit_log_removed AFTER DELETE ON audit_log REFERENCING OLD TABLE AS removed
        FOR EACH STATEMENT EXECUTE FUNCTION audit_log_removed();
      CREATE CONSTRAINT TRIGGER audit_log_chain AFTER INSERT ON audit_log DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION audit_log_chain();

      -- The times that lines carry are their senders'; retention needs the database's. No row is rewritten.
      ALTER TABLE entries ADD COLUMN stamped_at timestamptz NOT NULL DEFAULT now();

      -- Retention finds the oldest by it.
      CREATE INDEX outbounds_created ON outbounds (created_at_ms);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only: restore a backup taken before the upgrade instead.');
  }
}
