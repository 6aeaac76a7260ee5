import { randomUUID } from 'node:crypto';

import type { DataSource } from 'typeorm';

import type { StreamRecord } from '#broker/partition-consumer.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { conversationId } from '#domain/conversation/conversation-id.js';
import { createDataSource } from '#store/data-source.js';
import { CursorNotMoved, type PartitionLease } from '#store/queries/move-cursor.js';
import { acquireLease, ensurePartition } from '#store/queries/partition-lease.js';
import { readStampedInbounds, type StampedInbound } from '#store/queries/read-stamped-inbounds.js';
import { withTransaction } from '#store/transaction.js';

import { newScope } from '../../../../test/harness/client.js';
import { TestDatabase } from '../../../../test/harness/postgres.js';
import { inboundRecord, rawRecord } from '../../../../test/harness/records.js';
import type { Dependencies } from '../dependencies.js';
import { readBatch } from '../inbound-reader.js';
import { stampedTurn } from '../stamped-turn.js';
import { receiveInbounds } from './receive-inbounds.js';

describe('receiving a batch of inbounds', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let deps: Dependencies;
  let lease: PartitionLease;
  let seq = 0;

  beforeAll(async () => {
    database = await TestDatabase.create();
    dataSource = createDataSource({ url: database.url, poolSize: 4, applicationName: 'test' });
    await dataSource.initialize();
    deps = {
      dataSource,
      pendingQueueCap: 3,
      now: () => 1_700_000_200_000,
      redactor: {
        redactText: (text: string) => text.replace('secret', '[REDACTED:test]'),
        redactJson: (json: unknown) => json,
      },
    } as unknown as Dependencies;
    const owned = await withTransaction(dataSource, async (tx) => {
      await ensurePartition(tx, 0);
      return acquireLease(tx, 0, randomUUID(), 60_000);
    });
    if (owned === undefined) throw new Error('the partition of a new database is free');
    lease = owned;
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const next = () => (seq += 1);
  const receive = (records: StreamRecord[], changes: Partial<Dependencies> = {}, as = lease) =>
    receiveInbounds({ ...deps, ...changes }, as, readBatch(records, deps.redactor));

  async function pauseDirectly(scope: ConversationScope): Promise<void> {
    await receive([inboundRecord(next(), scope, { body: 'before the pause' })]);
    await database.query(
      `UPDATE conversations SET state = 'paused_by_operator', epoch = 1, paused_at_ms = 1, operator_token_hash = 'h'
       WHERE conversation_id = $1`,
      [conversationId(scope)],
    );
  }

  /** The turns that the outbox stands for, built from the record as they are after a crash. */
  const turnsOf = async (scope: ConversationScope) => {
    const rows = await database.query<{ inbound_id: string }>(
      `SELECT inbound_id FROM outbox WHERE ordering_key = $1 AND kind = 'turn' ORDER BY id`,
      [conversationId(scope)],
    );
    const ids = rows.map((row) => row.inbound_id);
    const stored = await withTransaction(dataSource, (tx) => readStampedInbounds(tx, ids));
    return ids.map((id) => stampedTurn(stored.find((each) => each.inboundId === id) as StampedInbound).turn);
  };
  const entriesOf = (scope: ConversationScope) =>
    database.query<{ seq: string; body: string; sent_at_ms: string; session_id: string }>(
      `SELECT seq, body, sent_at_ms, session_id FROM entries WHERE conversation_id = $1 ORDER BY arrival`,
      [conversationId(scope)],
    );
  const droppedOf = async (scope: ConversationScope) => {
    const rows = await database.query<{ payload: string }>(
      `SELECT payload FROM events WHERE kind = 'pending_inbounds_dropped' AND payload LIKE '%' || $1 || '%'`,
      [scope.contact_id],
    );
    return rows.map((row) => JSON.parse(row.payload) as { dropped: number; message_ids?: string[] });
  };

  it('stamps an active inbound with its own time and asks the agent in one turn each, in the stream’s order', async () => {
    const [a, b] = [newScope(), newScope()];
    const records = [a, b, a, a, b].map((scope) => inboundRecord(next(), scope));
    const outcome = await receive(records);
    expect(outcome).toMatchObject({ forwarded: 5, buffered: 0, duplicates: 0, quarantined: 0 });
    const bodies = (await turnsOf(a)).map((turn) => turn.inbounds[0]?.body);
    expect(bodies).toEqual([0, 2, 3].map((index) => `line ${records[index]?.seq}`));
    const entries = await entriesOf(a);
    expect(entries.map((entry) => [entry.seq, entry.body])).toEqual(bodies.map((body, index) => [String(index), body]));
    expect(entries.map((entry) => Number(entry.sent_at_ms) - 1_700_000_000_000)).toEqual(
      [0, 2, 3].map((index) => records[index]?.seq),
    );
  });

  it('has at hand what the record gives of a turn', async () => {
    const [plain, rich] = [newScope(), { ...newScope(), mcp_channel_source: 'crm' }];
    const attachments = [{ url: 'https://files.example/1', size: 1e21 }, null, 'ñ'];
    const { references } = await receive([
      inboundRecord(next(), plain),
      inboundRecord(next(), rich, { message_id: randomUUID(), body: '', attachments }, { session_id: randomUUID() }),
    ]);
    const turns = references.map(({ messages }) => JSON.parse(messages()[0]?.payload ?? '') as unknown);
    expect(turns).toEqual([...(await turnsOf(plain)), ...(await turnsOf(rich))]);
  });

  it('recognises a copy by message id, by header and by sequence, in the same batch and later', async () => {
    const scope = newScope();
    const message_id = randomUUID();
    const first = [
      inboundRecord(next(), scope, { message_id, body: 'by id' }),
      inboundRecord(next(), scope, { message_id, body: 'by id, again' }, { msgId: 'other' }),
      inboundRecord(next(), scope, { body: 'by header' }, { msgId: 'wamid.1' }),
    ];
    await expect(receive(first)).resolves.toMatchObject({ forwarded: 2, duplicates: 1 });
    const later = [
      inboundRecord(next(), scope, { message_id: message_id.toUpperCase() }),
      inboundRecord(next(), scope, {}, { msgId: 'wamid.1' }),
      inboundRecord(next(), newScope(), {}, { msgId: 'wamid.1' }),
    ];
    await expect(receive(later)).resolves.toMatchObject({ forwarded: 1, duplicates: 2 });
    expect((await entriesOf(scope)).map((entry) => entry.body)).toEqual(['by id', 'by header']);
  });

  it('makes the session that an inbound names the conversation’s, and creates one if none was named', async () => {
    const scope = newScope();
    const session = randomUUID();
    await receive([
      inboundRecord(next(), scope),
      inboundRecord(next(), scope, {}, { session_id: session }),
      inboundRecord(next(), scope),
    ]);
    const entries = await entriesOf(scope);
    expect(entries.map((entry) => entry.session_id === session)).toEqual([false, true, true]);
    expect(entries.map((entry) => entry.seq)).toEqual(['0', '0', '1']);
    expect((await turnsOf(scope)).map((turn) => turn.session_id)).toEqual(entries.map((entry) => entry.session_id));
  });

  it('buffers what arrives while paused and evicts the oldest over the cap, with one event a batch', async () => {
    const scope = newScope();
    await pauseDirectly(scope);
    const ids = Array.from({ length: 6 }, () => randomUUID());
    const records = ids.map((message_id) => inboundRecord(next(), scope, { message_id }));
    await expect(receive(records.slice(0, 2))).resolves.toMatchObject({ buffered: 2, evicted: 0 });
    await expect(receive(records.slice(2))).resolves.toMatchObject({ buffered: 4, evicted: 3 });
    expect(await droppedOf(scope)).toEqual([expect.objectContaining({ dropped: 3, message_ids: ids.slice(0, 3) })]);
    const [row] = await database.query<{ depth: string; dropped_total: string }>(
      'SELECT buffer_tail - buffer_head AS depth, dropped_total FROM conversations WHERE conversation_id = $1',
      [conversationId(scope)],
    );
    expect(row).toEqual({ depth: '3', dropped_total: '3' });
    expect(await turnsOf(scope)).toHaveLength(1);
  });

  it('evicts an inbound at once with a cap of 0', async () => {
    const scope = newScope();
    await pauseDirectly(scope);
    const message_id = randomUUID();
    const batch = [inboundRecord(next(), scope, { message_id }), inboundRecord(next(), scope)];
    await expect(receive(batch, { pendingQueueCap: 0 })).resolves.toMatchObject({ evicted: 2 });
    expect(await droppedOf(scope)).toEqual([expect.objectContaining({ dropped: 2, message_ids: [message_id] })]);
  });

  it('quarantines what it cannot read and stores the rest', async () => {
    const scope = newScope();
    const { subject } = inboundRecord(0, scope);
    const records = [
      rawRecord(next(), subject, 'no json'),
      rawRecord(next(), subject, new Uint8Array([0x22, 0xff, 0x22])),
      rawRecord(next(), subject, '{"scope":{"kind":"conversation"}}'),
      rawRecord(next(), subject, '{"scope":{"kind":"agent","agent_id":"ana"}}'),
      rawRecord(next(), subject, ' '.repeat(256 * 1024 + 1)),
      rawRecord(next(), subject.replace('.ana.', '.bob.'), inboundRecord(0, scope).data),
      inboundRecord(next(), scope, { body: '' }),
      inboundRecord(next(), scope, { body: 'a\u0000b\ud800c 🙂 secret' }),
    ];
    await expect(receive(records)).resolves.toMatchObject({ forwarded: 1, quarantined: 7 });
    expect((await entriesOf(scope))[0]?.body).toBe('a\ufffdb\ufffdc 🙂 [REDACTED:test]');
    const rows = await database.query<{ subject: string; raw: Buffer; headers: string }>(
      `SELECT subject, raw, headers FROM outbox WHERE kind = 'quarantine' ORDER BY id`,
    );
    expect(rows.map((row) => row.subject.split('.')[2])).toEqual([
      'not_json',
      'not_json',
      'wrong_shape',
      'wrong_scope',
      'too_large',
      'agent_mismatch',
      'wrong_shape',
    ]);
    expect(rows[1]?.raw).toEqual(Buffer.from([0x22, 0xff, 0x22]));
    expect(JSON.parse(rows[0]?.headers ?? '')).toEqual({
      'Holdline-Reason': 'not_json',
      'Holdline-Subject': subject,
      'Holdline-Seq': String(records[0]?.seq),
    });
  });

  it('stores nothing for a process that is not the owner, and nothing twice', async () => {
    const scope = newScope();
    const record = inboundRecord(next(), scope);
    const former = { ...lease, ownerEpoch: lease.ownerEpoch - 1 };
    await expect(receive([record], {}, former)).rejects.toThrow(CursorNotMoved);
    expect(await entriesOf(scope)).toEqual([]);
    await receive([record]);
    await expect(receive([record])).rejects.toThrow(CursorNotMoved);
    expect(await entriesOf(scope)).toHaveLength(1);
  });

  it('takes a constant number of statements, whatever the size of the batch', async () => {
    const statements = async (size: number) => {
      const records = Array.from({ length: size }, () => inboundRecord(next(), newScope()));
      const runner = dataSource.createQueryRunner();
      const client = (await runner.connect()) as { query: (...args: unknown[]) => unknown };
      const original = client.query;
      let count = 0;
      client.query = function (...args: unknown[]) {
        count += 1;
        return original.apply(client, args);
      };
      await runner.release();
      await receive(records);
      client.query = original;
      return count;
    };
    const one = await statements(1);
    expect(one).toBeGreaterThan(5);
    expect(await statements(200)).toBe(one);
  });
});
