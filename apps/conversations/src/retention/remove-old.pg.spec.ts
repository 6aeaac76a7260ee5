import { randomUUID } from 'node:crypto';

import pg from 'pg';

import { insertAuditRow } from '#store/queries/insert-audit-row.js';
import { whileNobodyElse } from '#store/session-lock.js';
import { withTransaction } from '#store/transaction.js';
import { verifyAuditLog } from '#store/verify-audit-log.js';

import { auditRow, emptyAuditLog, rehash, tamper } from '../../../../test/harness/audit-log.js';
import { CommandHarness } from '../../../../test/harness/commands.js';
import { removeOld } from './remove-old.js';
import type { RetentionAges } from './retention-settings.js';

const KEEP: RetentionAges = {
  transcripts: 0,
  events: 0,
  evicted: 0,
  drafts: 0,
  outbounds: 0,
  escalations: 0,
  unpublishable: 0,
  audit: 0,
};
const ALL: RetentionAges = {
  transcripts: 10,
  events: 10,
  evicted: 30,
  drafts: 10,
  outbounds: 10,
  escalations: 10,
  unpublishable: 10,
  audit: 10,
};
const SESSION = '00000000-0000-0000-0000-000000000001';
const DAY_MS = 86_400_000;

describe('retention', () => {
  let harness: CommandHarness;

  beforeAll(async () => {
    harness = await CommandHarness.create();
  });
  beforeEach(async () => {
    await harness.database.query(
      'TRUNCATE sessions, entries, events, buffered_inbounds, conversations, drafts, outbounds, escalations, unpublishable, outbox',
    );
    await emptyAuditLog(harness.database);
  });
  afterAll(() => harness.close());

  const query = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    harness.database.query<Row>(text, values);
  const remove = (ages: Partial<RetentionAges>, signal = new AbortController().signal) =>
    removeOld(harness, { ...KEEP, ...ages }, signal);
  /** `old` lines of 11 days, then `young` ones of 9, whatever their senders' clocks say. */
  const addLines = async (old: number, young: number, sessionId = SESSION) => {
    await query(`INSERT INTO sessions (session_id, agent_id, next_seq) VALUES ($1, 'ana', $2)`, [
      sessionId,
      old + young,
    ]);
    await query(
      `INSERT INTO entries (session_id, agent_id, seq, conversation_id, arrival, event_id, role, body, sent_at_ms,
         source_plugin, stamped_at)
       SELECT $1, 'ana', n, gen_random_uuid(), n, gen_random_uuid(), 'user', 'x', CASE WHEN n % 2 = 0 THEN 5 ELSE 4e12 END,
         'x', clock_timestamp() - CASE WHEN n < $2 THEN interval '11 days' ELSE interval '9 days' END
       FROM generate_series(0, $3 - 1) AS n`,
      [sessionId, old, old + young],
    );
  };
  const seqs = async (sessionId = SESSION) => {
    const rows = await query<{ seq: string }>('SELECT seq FROM entries WHERE session_id = $1 ORDER BY seq', [
      sessionId,
    ]);
    return rows.map(({ seq }) => Number(seq));
  };

  it('keeps everything while no age is given', async () => {
    await addLines(3, 1);
    expect(await remove({})).toEqual({});
    expect(await seqs()).toEqual([0, 1, 2, 3]);
  });

  it('removes old lines by when they were stamped, and the numbers of later ones go on', async () => {
    await addLines(3, 2);
    await addLines(0, 2, randomUUID());
    expect(await remove({ transcripts: 10 })).toEqual({ transcripts: 3 });
    expect(await seqs()).toEqual([3, 4]);
    expect(await query('SELECT next_seq FROM sessions WHERE session_id = $1', [SESSION])).toEqual([{ next_seq: '5' }]);
    expect(await remove({ transcripts: 8 })).toEqual({ transcripts: 4 });
    expect(await query('SELECT next_seq FROM sessions WHERE session_id = $1', [SESSION])).toEqual([{ next_seq: '5' }]);
    expect(await remove({ transcripts: 8 })).toEqual({});
  });

  it('gets through transcripts of many lines and many transcripts', async () => {
    await addLines(1_203, 2);
    for (let count = 0; count < 3; count += 1) await addLines(2, 1, randomUUID());
    await query(
      `INSERT INTO sessions (session_id, agent_id, next_seq) SELECT gen_random_uuid(), 'ana', 0
       FROM generate_series(1, 450)`,
    );
    expect(await remove({ transcripts: 10 })).toEqual({ transcripts: 1_209 });
    expect(await query('SELECT count(*)::int AS count FROM entries')).toEqual([{ count: 5 }]);
  });

  it('leaves lines and events while messages of that age, which may refer to them, are still to be published', async () => {
    await addLines(2, 0);
    await query(`INSERT INTO events VALUES (gen_random_uuid(), 'ana', 'x', 5, '{}')`);
    await query(
      `INSERT INTO outbox (ordering_key, kind, subject, msg_id, payload, created_at)
       VALUES (gen_random_uuid(), 'turn', 's', 'm', '{}', clock_timestamp() - interval '11 days')`,
    );
    expect(await remove({ transcripts: 10, events: 10 })).toEqual({});
    await query('TRUNCATE outbox');
    expect(await remove({ transcripts: 10, events: 10 })).toEqual({ transcripts: 2, events: 1 });
  });

  it('removes old events of every agent', async () => {
    await query(
      `INSERT INTO events (event_id, agent_id, kind, at_ms, payload)
       SELECT gen_random_uuid(), 'agent ' || n % 3, 'x', (extract(epoch FROM clock_timestamp()) * 1000)::bigint
         - CASE WHEN n < 700 THEN 11 ELSE 9 END * ${DAY_MS}::bigint, '{}'
       FROM generate_series(0, 702) AS n`,
    );
    expect(await remove({ events: 10 })).toEqual({ events: 700 });
    expect(await query('SELECT count(*)::int AS count FROM events')).toEqual([{ count: 3 }]);
  });

  describe('of evicted inbounds', () => {
    const conversation = randomUUID();
    /** Buffered that many days ago at the positions from 0 on; each evicts what is below its head. */
    const addBuffer = async (
      rows: { days: number; head: number; drained?: boolean; takenBack?: boolean }[],
      head: number,
    ) => {
      await query(
        `INSERT INTO conversations (conversation_id, agent_id, channel, account_id, contact_id, session_id, buffer_head,
           buffer_tail, last_activity_ms) VALUES ($1, 'ana', 'c', 'a', 'x', $1, $2, $3, 1)`,
        [conversation, head, rows.length],
      );
      for (const [position, row] of rows.entries()) {
        await query(
          `INSERT INTO buffered_inbounds (conversation_id, position, inbound_id, arrival, drained, taken_back,
             from_contact_id, body, timestamp_ms, source_plugin, evicts_below, buffered_at_ms)
           VALUES ($1, $2, gen_random_uuid(), $2, $3, $4, 'x', 'text', 1, 'x', $5,
             (extract(epoch FROM clock_timestamp()) * 1000)::bigint - $6 * ${DAY_MS}::bigint)`,
          [conversation, position, row.drained ?? false, row.takenBack ?? false, row.head, row.days],
        );
      }
    };
    const positions = async () => {
      const rows = await query<{ position: string }>('SELECT position FROM buffered_inbounds ORDER BY position');
      return rows.map(({ position }) => Number(position));
    };

    it('removes those that were evicted that long ago, whenever they had come, and nothing that waits', async () => {
      await addBuffer(
        [
          { days: 50, head: 0, takenBack: true },
          { days: 50, head: 0 },
          { days: 50, head: 0 },
          { days: 31, head: 2 },
          { days: 29, head: 3 },
        ],
        3,
      );
      expect(await remove({ evicted: 30 })).toEqual({ evicted: 1 });
      expect(await positions()).toEqual([0, 2, 3, 4]);
    });

    it('removes what a resume has emptied after what it had evicted', async () => {
      await addBuffer(
        [
          { days: 40, head: 0 },
          { days: 35, head: 1, drained: true },
          { days: 33, head: 1, drained: true },
          { days: 5, head: 1, drained: true },
        ],
        4,
      );
      expect(await remove({ evicted: 36 })).toEqual({});
      expect(await remove({ evicted: 34 })).toEqual({ evicted: 2 });
      expect(await positions()).toEqual([2, 3]);
      expect(await remove({ evicted: 30 })).toEqual({ evicted: 1 });
      expect(await positions()).toEqual([3]);
    });

    it('leaves what somebody has locked, and waits for nobody', async () => {
      await addBuffer(
        [
          { days: 40, head: 0 },
          { days: 40, head: 0 },
          { days: 35, head: 2 },
        ],
        2,
      );
      const holder = new pg.Client({ connectionString: harness.database.url });
      await holder.connect();
      try {
        await holder.query('BEGIN');
        await holder.query('SELECT FROM buffered_inbounds WHERE position = 0 FOR UPDATE');
        expect(await remove({ evicted: 30 })).toEqual({ evicted: 1 });
      } finally {
        await holder.end();
      }
      expect(await positions()).toEqual([0, 2]);
    });
  });

  it('removes old drafts, settled outbounds, resolved escalations and unpublishable messages', async () => {
    const ms = (days: number) => `(extract(epoch FROM clock_timestamp()) * 1000)::bigint - ${days} * ${DAY_MS}::bigint`;
    for (const days of [11, 9]) {
      await query(
        `INSERT INTO drafts (draft_id, conversation_id, turn_id, content_sha256, action, reason, created_at_ms)
         VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '', '{}', 'paused', ${ms(days)})`,
      );
      for (const status of ['sent', 'unknown', 'sending', 'handed_over']) {
        await query(
          `INSERT INTO outbounds (outbound_id, conversation_id, origin, epoch, arrival, channel, account_id, recipient,
             body, msg_kind, text_sha256, source_plugin, status, created_at_ms)
           VALUES (gen_random_uuid(), gen_random_uuid(), 'agent', 1, 1, 'c', 'a', 'x', 'x', 'text', '', 'x', $1, ${ms(days)})`,
          [status],
        );
      }
      for (const resolved of [`${ms(days)}, 'operator_dismissed'`, 'NULL, NULL']) {
        await query(
          `INSERT INTO escalations (escalation_id, conversation_id, agent_id, summary, reason, urgency, requested_at_ms,
             resolved_at_ms, resolved_by)
           VALUES (gen_random_uuid(), gen_random_uuid(), 'ana', 'x', 'other', 'low', ${ms(20)}, ${resolved})`,
        );
      }
      await query(
        `INSERT INTO unpublishable (outbox_id, ordering_key, kind, subject, msg_id, reason, refused_at)
         VALUES ($1::int, gen_random_uuid(), 'turn', 's', 'm', 'x', clock_timestamp() - $1::int * interval '1 day')`,
        [days],
      );
    }
    expect(await remove(ALL)).toEqual({ drafts: 1, outbounds: 2, escalations: 1, unpublishable: 1 });
    expect(await query('SELECT count(*)::int AS count FROM outbounds')).toEqual([{ count: 6 }]);
    expect(await query('SELECT count(*)::int AS count FROM escalations')).toEqual([{ count: 3 }]);
  });

  it('removes the oldest days of the audit log, and its chain is whole all the same', async () => {
    for (let count = 0; count < 8; count += 1) {
      await withTransaction(harness.dataSource, (tx) => insertAuditRow(tx, auditRow()));
    }
    await tamper(
      harness.database,
      `UPDATE audit_log SET at_ms = at_ms - (CASE WHEN position IN (4, 7) THEN 9 ELSE 12 END) * ${DAY_MS}::bigint`,
    );
    await rehash(harness.database);
    expect(await remove({ audit: 10 })).toEqual({ audit: 3 });
    expect(await remove({ audit: 10 })).toEqual({});
    expect(await verifyAuditLog(harness.dataSource)).toMatchObject({ rows: 6, removedThrough: 3, findings: [] });
  });

  it('is done by one process at a time', async () => {
    await addLines(1, 0);
    const meanwhile = await whileNobodyElse(harness.dataSource, 'retention', () => remove({ transcripts: 10 }));
    expect(meanwhile).toBeUndefined();
    expect(await seqs()).toEqual([0]);
    expect(await remove({ transcripts: 10 })).toEqual({ transcripts: 1 });
  });

  it('ends when it is told to, and goes on with the rest when something fails', async () => {
    await addLines(2, 0);
    const ended = new AbortController();
    ended.abort();
    expect(await remove({ transcripts: 10 }, ended.signal)).toEqual({});
    await query('ALTER TABLE sessions RENAME TO sessions_away');
    try {
      await query(`INSERT INTO events VALUES (gen_random_uuid(), 'a', 'x', 5, '{}')`);
      expect(await remove({ transcripts: 10, events: 10 })).toEqual({ events: 1 });
    } finally {
      await query('ALTER TABLE sessions_away RENAME TO sessions');
    }
    expect(harness.logs.at(-2)).toMatchObject({ level: 'warn', kind: 'transcripts', failure: { code: '42P01' } });
  });
});
