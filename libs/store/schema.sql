-- What all migrations together make. Written by `npm run schema`, and read by tests only.

CREATE SEQUENCE arrivals AS bigint START WITH 0 INCREMENT BY 1024 MINVALUE 0 MAXVALUE 9223372036854775807 CACHE 1;

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
  CONSTRAINT entries_pkey PRIMARY KEY (session_id, seq, agent_id)
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
  entry_seq bigint,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  inbound_id uuid,
  CONSTRAINT outbox_pkey PRIMARY KEY (ordering_key, id),
  CONSTRAINT outbox_kind_check CHECK ((kind = ANY (ARRAY['turn'::text, 'hold'::text, 'event'::text, 'quarantine'::text]))),
  CONSTRAINT outbox_whole_or_reference CHECK (((inbound_id IS NOT NULL) OR ((subject IS NOT NULL) AND (msg_id IS NOT NULL))))
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

CREATE INDEX audit_log_unknown ON audit_log USING btree (at_ms) WHERE (operator = 'unknown'::text);

CREATE INDEX conversations_activity ON conversations USING btree (activity_minute DESC);

CREATE INDEX conversations_auto_resume ON conversations USING btree (auto_resume_at_ms) WHERE (auto_resume_at_ms IS NOT NULL);

CREATE INDEX conversations_paused ON conversations USING btree (paused_at_ms) WHERE (state = 'paused_by_operator'::text);

CREATE INDEX drafts_conversation ON drafts USING btree (conversation_id, created_at_ms);

CREATE INDEX drafts_created ON drafts USING btree (created_at_ms);

CREATE INDEX entries_agent_time ON entries USING btree (agent_id, sent_at_ms DESC);

CREATE INDEX entries_conversation_arrival ON entries USING btree (conversation_id, arrival);

CREATE INDEX entries_search ON entries USING gin (to_tsvector('simple'::regconfig, "left"(body, 32768)));

CREATE INDEX events_agent_time ON events USING btree (agent_id, at_ms DESC);
