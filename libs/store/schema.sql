-- What all migrations together make. Written by `npm run schema`, and read by tests only.

CREATE SEQUENCE arrivals AS bigint START WITH 0 INCREMENT BY 1024 MINVALUE 0 MAXVALUE 9223372036854775807 CACHE 1;

CREATE TABLE audit_head (
  only_row boolean DEFAULT true NOT NULL,
  "position" bigint NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT audit_head_pkey PRIMARY KEY (only_row),
  CONSTRAINT audit_head_only_row_check CHECK (only_row)
) WITH (fillfactor=50);

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  at_ms bigint NOT NULL,
  operator text NOT NULL,
  method text NOT NULL,
  scope text,
  agent_id text,
  outcome text NOT NULL,
  changed boolean NOT NULL,
  reason text,
  correlation_id uuid NOT NULL,
  params_sha256 text NOT NULL,
  "position" bigint,
  hash bytea,
  CONSTRAINT audit_log_pkey PRIMARY KEY (id),
  CONSTRAINT audit_log_outcome_check CHECK ((outcome = ANY (ARRAY['ok'::text, 'refused'::text, 'error'::text])))
);

CREATE TABLE buffered_inbounds (
  conversation_id uuid NOT NULL,
  "position" bigint NOT NULL,
  inbound_id uuid NOT NULL,
  arrival bigint NOT NULL,
  taken_back boolean DEFAULT false NOT NULL,
  drained boolean DEFAULT false NOT NULL,
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
  CONSTRAINT buffered_inbounds_pkey PRIMARY KEY (conversation_id, "position")
);

CREATE TABLE conversations (
  conversation_id uuid NOT NULL,
  agent_id text NOT NULL,
  channel text NOT NULL,
  account_id text NOT NULL,
  contact_id text NOT NULL,
  mcp_channel_source text,
  session_id uuid NOT NULL,
  epoch bigint DEFAULT 0 NOT NULL,
  state text DEFAULT 'agent_active'::text NOT NULL,
  paused_at_ms bigint,
  paused_arrival bigint,
  operator_token_hash text,
  pause_reason text,
  auto_resume_at_ms bigint,
  buffer_head bigint DEFAULT 0 NOT NULL,
  buffer_tail bigint DEFAULT 0 NOT NULL,
  taken_back bigint DEFAULT 0 NOT NULL,
  dropped_total bigint DEFAULT 0 NOT NULL,
  last_activity_ms bigint NOT NULL,
  activity_minute bigint GENERATED ALWAYS AS ((last_activity_ms / 60000)) STORED NOT NULL,
  answered_arrival bigint DEFAULT '-1'::integer NOT NULL,
  agent_answered_arrival bigint DEFAULT '-1'::integer NOT NULL,
  operator_answered_arrival bigint DEFAULT '-1'::integer NOT NULL,
  resumed_arrival bigint DEFAULT '-1'::integer NOT NULL,
  CONSTRAINT conversations_pkey PRIMARY KEY (conversation_id),
  CONSTRAINT conversations_state_check CHECK ((state = ANY (ARRAY['agent_active'::text, 'paused_by_operator'::text])))
) WITH (fillfactor=70);

CREATE TABLE drafts (
  draft_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  turn_id uuid NOT NULL,
  content_sha256 bytea NOT NULL,
  action text NOT NULL,
  reason text NOT NULL,
  status text DEFAULT 'open'::text NOT NULL,
  outbound_id uuid,
  created_at_ms bigint NOT NULL,
  closed_at_ms bigint,
  CONSTRAINT drafts_pkey PRIMARY KEY (draft_id),
  CONSTRAINT drafts_reason_check CHECK ((reason = ANY (ARRAY['paused'::text, 'stale_epoch'::text]))),
  CONSTRAINT drafts_status_check CHECK ((status = ANY (ARRAY['open'::text, 'sent'::text, 'discarded'::text]))),
  CONSTRAINT drafts_turn_id_content_sha256_key UNIQUE (turn_id, content_sha256)
);

CREATE TABLE entries (
  session_id uuid NOT NULL,
  agent_id text NOT NULL,
  seq bigint NOT NULL,
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
  replayed boolean DEFAULT false NOT NULL,
  delivery text,
  stamped_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT entries_pkey PRIMARY KEY (session_id, seq, agent_id)
);

CREATE TABLE escalations (
  escalation_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  agent_id text NOT NULL,
  summary text NOT NULL,
  reason text NOT NULL,
  urgency text NOT NULL,
  context text,
  requested_at_ms bigint NOT NULL,
  acknowledge_at_ms bigint,
  alarms smallint DEFAULT 0 NOT NULL,
  resolved_at_ms bigint,
  resolved_by text,
  dismiss_reason text,
  CONSTRAINT escalations_pkey PRIMARY KEY (escalation_id),
  CONSTRAINT escalations_check CHECK (((resolved_at_ms IS NULL) = (resolved_by IS NULL))),
  CONSTRAINT escalations_resolved_by_check CHECK ((resolved_by = ANY (ARRAY['operator_takeover'::text, 'operator_dismissed'::text, 'agent_resolved'::text])))
);

CREATE TABLE events (
  event_id uuid NOT NULL,
  agent_id text NOT NULL,
  kind text NOT NULL,
  at_ms bigint NOT NULL,
  payload text NOT NULL,
  CONSTRAINT events_pkey PRIMARY KEY (event_id)
);

CREATE TABLE inbounds (
  inbound_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  arrival bigint NOT NULL,
  session_id uuid,
  entry_seq bigint,
  CONSTRAINT inbounds_pkey PRIMARY KEY (inbound_id)
);

CREATE TABLE operators (
  token_hash text NOT NULL,
  token_sha256 bytea NOT NULL,
  name text NOT NULL,
  capabilities text[] NOT NULL,
  created_at_ms bigint NOT NULL,
  revoked_at_ms bigint,
  CONSTRAINT operators_pkey PRIMARY KEY (token_hash),
  CONSTRAINT operators_token_sha256_key UNIQUE (token_sha256)
);

CREATE TABLE outbounds (
  outbound_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  origin text NOT NULL,
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
  status text NOT NULL,
  outbound_message_id text,
  reason text,
  detail text,
  delivery text,
  delivery_detail text,
  delivery_at_ms bigint,
  entry_seq bigint,
  idempotency_key text,
  content_sha256 bytea,
  command text,
  created_at_ms bigint NOT NULL,
  settled_at_ms bigint,
  expires_at_ms bigint,
  CONSTRAINT outbounds_pkey PRIMARY KEY (outbound_id),
  CONSTRAINT outbounds_delivery_check CHECK ((delivery = ANY (ARRAY['delivered'::text, 'read'::text, 'failed'::text]))),
  CONSTRAINT outbounds_origin_check CHECK ((origin = ANY (ARRAY['operator'::text, 'agent'::text, 'system'::text, 'external'::text]))),
  CONSTRAINT outbounds_status_check CHECK ((status = ANY (ARRAY['sending'::text, 'handed_over'::text, 'sent'::text, 'rejected'::text, 'unavailable'::text, 'unknown'::text, 'recalled'::text])))
) WITH (fillfactor=70);

CREATE TABLE outbox (
  ordering_key uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  kind text NOT NULL,
  subject text,
  msg_id text,
  payload text,
  raw bytea,
  headers text,
  inbound_ids uuid[],
  event_id uuid,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  inbound_id uuid,
  CONSTRAINT outbox_pkey PRIMARY KEY (ordering_key, id),
  CONSTRAINT outbox_kind_check CHECK ((kind = ANY (ARRAY['turn'::text, 'hold'::text, 'event'::text, 'quarantine'::text]))),
  CONSTRAINT outbox_whole_or_reference CHECK (((num_nonnulls(inbound_id, event_id, subject) = 1) AND ((subject IS NULL) = (msg_id IS NULL))))
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=20000, autovacuum_vacuum_cost_delay=0);

CREATE TABLE partitions (
  partition integer NOT NULL,
  owner uuid,
  owner_epoch bigint DEFAULT 0 NOT NULL,
  lease_until timestamp with time zone,
  cursor bigint DEFAULT 0 NOT NULL,
  stream_created text,
  CONSTRAINT partitions_pkey PRIMARY KEY (partition)
);

CREATE TABLE resume_turns (
  turn_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  epoch bigint NOT NULL,
  last_arrival bigint NOT NULL,
  CONSTRAINT resume_turns_pkey PRIMARY KEY (turn_id)
);

CREATE TABLE sessions (
  session_id uuid NOT NULL,
  agent_id text NOT NULL,
  next_seq bigint DEFAULT 0 NOT NULL,
  CONSTRAINT sessions_pkey PRIMARY KEY (session_id, agent_id)
) WITH (fillfactor=70);

CREATE TABLE unpublishable (
  outbox_id bigint NOT NULL,
  ordering_key uuid NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  msg_id text NOT NULL,
  payload text,
  raw bytea,
  headers text,
  reason text NOT NULL,
  refused_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT unpublishable_pkey PRIMARY KEY (outbox_id)
);

CREATE INDEX audit_log_agent ON audit_log USING btree (agent_id, "position");

CREATE INDEX audit_log_method ON audit_log USING btree (method, "position");

CREATE INDEX audit_log_operator ON audit_log USING btree (operator, "position");

CREATE UNIQUE INDEX audit_log_position ON audit_log USING btree ("position");

CREATE INDEX audit_log_time ON audit_log USING btree (at_ms);

CREATE INDEX audit_log_unknown ON audit_log USING btree (at_ms) WHERE (operator = 'unknown'::text);

CREATE INDEX conversations_activity ON conversations USING btree (activity_minute DESC);

CREATE INDEX conversations_auto_resume ON conversations USING btree (auto_resume_at_ms) WHERE (auto_resume_at_ms IS NOT NULL);

CREATE INDEX conversations_contact ON conversations USING btree (contact_id, channel, account_id);

CREATE INDEX conversations_paused ON conversations USING btree (paused_at_ms) WHERE (state = 'paused_by_operator'::text);

CREATE INDEX drafts_conversation ON drafts USING btree (conversation_id, created_at_ms);

CREATE INDEX drafts_created ON drafts USING btree (created_at_ms);

CREATE INDEX entries_agent_time ON entries USING btree (agent_id, sent_at_ms DESC);

CREATE INDEX entries_conversation_arrival ON entries USING btree (conversation_id, arrival);

CREATE INDEX entries_search ON entries USING gin (to_tsvector('simple'::regconfig, "left"(body, 32768)));

CREATE INDEX escalations_acknowledge ON escalations USING btree (acknowledge_at_ms) WHERE (acknowledge_at_ms IS NOT NULL);

CREATE INDEX escalations_conversation ON escalations USING btree (conversation_id, requested_at_ms);

CREATE UNIQUE INDEX escalations_pending ON escalations USING btree (conversation_id) WHERE (resolved_at_ms IS NULL);

CREATE INDEX escalations_resolved ON escalations USING btree (resolved_at_ms DESC) WHERE (resolved_at_ms IS NOT NULL);

CREATE INDEX escalations_waiting ON escalations USING btree (requested_at_ms) WHERE (resolved_at_ms IS NULL);

CREATE INDEX events_agent_time ON events USING btree (agent_id, at_ms DESC);

CREATE INDEX outbounds_conversation ON outbounds USING btree (conversation_id, arrival);

CREATE INDEX outbounds_created ON outbounds USING btree (created_at_ms);

CREATE INDEX outbounds_expiry ON outbounds USING btree (expires_at_ms) WHERE (expires_at_ms IS NOT NULL);

CREATE UNIQUE INDEX outbounds_idempotency ON outbounds USING btree (conversation_id, operator, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX outbounds_message ON outbounds USING btree (outbound_message_id) WHERE (outbound_message_id IS NOT NULL);

CREATE INDEX outbounds_text ON outbounds USING btree (text_sha256, created_at_ms);

CREATE OR REPLACE FUNCTION audit_field(value text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
AS $function$
        SELECT CASE
          WHEN value IS NULL THEN int4send(-1)
          ELSE int4send(octet_length(convert_to(value, 'UTF8'))) || convert_to(value, 'UTF8')
        END
      $function$;

CREATE OR REPLACE FUNCTION audit_row_hash(previous bytea, entry audit_log)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
AS $function$
        SELECT sha256(previous
          || audit_field(entry.position::text) || audit_field(entry.id::text) || audit_field(entry.at_ms::text)
          || audit_field(entry.operator) || audit_field(entry.method) || audit_field(entry.scope)
          || audit_field(entry.agent_id) || audit_field(entry.outcome) || audit_field(entry.changed::text)
          || audit_field(entry.reason) || audit_field(entry.correlation_id::text)
          || audit_field(entry.params_sha256))
      $function$;

CREATE OR REPLACE FUNCTION audit_log_chain()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
      END $function$;

CREATE OR REPLACE FUNCTION audit_log_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        IF TG_OP = 'INSERT' AND NEW.position IS NULL AND NEW.hash IS NULL THEN
          RETURN NEW;
        END IF;
        IF TG_OP = 'UPDATE' AND OLD.position IS NULL
          AND to_jsonb(NEW) - '{position,hash}'::text[] = to_jsonb(OLD) - '{position,hash}'::text[] THEN
          RETURN NEW;
        END IF;
        RAISE insufficient_privilege USING MESSAGE = 'the audit log is only ever added to';
      END $function$;

CREATE OR REPLACE FUNCTION audit_log_removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
      END $function$;

CREATE TRIGGER audit_log_append_only BEFORE INSERT OR UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_append_only();

CREATE CONSTRAINT TRIGGER audit_log_chain AFTER INSERT ON audit_log DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_log_chain();

CREATE TRIGGER audit_log_not_emptied BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION audit_log_append_only();

CREATE TRIGGER audit_log_removed AFTER DELETE ON audit_log REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION audit_log_removed();
