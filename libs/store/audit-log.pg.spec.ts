import { randomUUID } from 'node:crypto';

import pg from 'pg';
import type { DataSource } from 'typeorm';

import { auditRow, emptyAuditLog, rehash, tamper } from '../../test/harness/audit-log.js';
import { TestDatabase } from '../../test/harness/postgres.js';
import { waitFor } from '../../test/harness/wait-for.js';
import { createDataSource } from './data-source.js';
import { insertAuditRow, type NewAuditRow } from './queries/insert-audit-row.js';
import { withTransaction } from './transaction.js';
import { verifyAuditLog } from './verify-audit-log.js';

const REFUSED = '42501';
const TWO_DAYS_MS = 2 * 86_400_000;

describe('the audit log', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await TestDatabase.create();
    dataSource = createDataSource({ url: database.url, poolSize: 8, applicationName: 'test' });
    await dataSource.initialize();
  });
  beforeEach(() => emptyAuditLog(database));
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const add = (more: Partial<NewAuditRow> = {}) =>
    withTransaction(dataSource, (tx) => insertAuditRow(tx, auditRow(more)));
  const addMany = async (count: number) => {
    for (let added = 0; added < count; added += 1) await add({ reason: `row ${added + 1}` });
  };
  const positions = async () => {
    const rows = await database.query<{ position: string }>('SELECT position FROM audit_log ORDER BY id');
    return rows.map(({ position }) => Number(position));
  };
  const age = (where: string) => tamper(database, `UPDATE audit_log SET at_ms = at_ms - ${TWO_DAYS_MS} WHERE ${where}`);
  const findings = async () => (await verifyAuditLog(dataSource)).findings;

  describe('is only ever added to:', () => {
    it.each([
      `UPDATE audit_log SET outcome = 'refused' WHERE position = 2`,
      `UPDATE audit_log SET position = 9, hash = '' WHERE position = 2`,
      'UPDATE audit_log SET operator = operator',
      'DELETE FROM audit_log WHERE position = 2',
      'DELETE FROM audit_log WHERE position = 1',
      'DELETE FROM audit_log',
      'TRUNCATE audit_log',
      `INSERT INTO audit_log (at_ms, operator, method, outcome, changed, correlation_id, params_sha256, position, hash)
       VALUES (1, 'x', 'x', 'ok', true, '${randomUUID()}', '', 9, '')`,
    ])('the database refuses %s', async (statement) => {
      await addMany(3);
      const before = await database.query('SELECT * FROM audit_log ORDER BY id');
      await expect(database.query(statement)).rejects.toMatchObject({ code: REFUSED });
      expect(await database.query('SELECT * FROM audit_log ORDER BY id')).toEqual(before);
    });

    it('a row cannot be changed or taken back in the transaction that adds it either', async () => {
      for (const statement of [`UPDATE audit_log SET reason = 'other'`, 'DELETE FROM audit_log']) {
        const adding = withTransaction(dataSource, async (tx) => {
          await insertAuditRow(tx, auditRow());
          await tx.rows({ name: statement, text: statement });
        });
        await expect(adding).rejects.toMatchObject({ code: REFUSED });
      }
      expect(await positions()).toEqual([]);
    });

    it('the oldest rows may go once they are a day old, and a row of the chain says so', async () => {
      await addMany(5);
      await age('position <= 4');
      await rehash(database);
      for (const where of ['position IN (2, 3)', 'position IN (1, 3)', 'position <= 5']) {
        await expect(database.query(`DELETE FROM audit_log WHERE ${where}`)).rejects.toMatchObject({ code: REFUSED });
      }
      const [third] = await database.query<{ hash: string }>(
        `SELECT encode(hash, 'hex') AS hash FROM audit_log WHERE position = 3`,
      );
      await database.query('DELETE FROM audit_log WHERE position <= 3');
      expect(await positions()).toEqual([4, 5, 6]);
      const removal = { operator: 'system', method: 'retention/audit_log', reason: 'removed_through:3' };
      expect(await database.query('SELECT * FROM audit_log WHERE position = 6')).toMatchObject([
        { ...removal, params_sha256: third?.hash },
      ]);
      expect(await verifyAuditLog(dataSource)).toMatchObject({ rows: 3, removedThrough: 3, findings: [] });

      await database.query('DELETE FROM audit_log WHERE position = 4');
      expect(await verifyAuditLog(dataSource)).toMatchObject({ rows: 3, removedThrough: 4, findings: [] });
    });
  });

  describe('is a chain', () => {
    it('in the order of the commits, without gaps, however many write at once', async () => {
      const ended: string[] = [];
      const work = Array.from({ length: 40 }, async (_, index) => {
        const correlationId = randomUUID();
        const adding = withTransaction(dataSource, async (tx) => {
          await insertAuditRow(tx, auditRow({ correlationId }));
          if (index % 4 === 0) await insertAuditRow(tx, auditRow({ reason: 'second row' }));
          if (index % 5 === 0) throw new Error('taken back');
        });
        await adding.then(() => ended.push(correlationId)).catch(() => undefined);
      });
      await Promise.all(work);
      expect((await positions()).sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
      expect(await verifyAuditLog(dataSource)).toMatchObject({ rows: 40, findings: [] });
      expect(ended).toHaveLength(32);
    });

    it('that nobody holds up who has added a row and says nothing', async () => {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      try {
        await client.query('BEGIN');
        await client.query(
          `INSERT INTO audit_log (at_ms, operator, method, outcome, changed, correlation_id, params_sha256)
           VALUES (1, 'slow', 'x', 'ok', true, $1, '')`,
          [randomUUID()],
        );
        await addMany(2);
        await client.query('COMMIT');
      } finally {
        await client.end();
      }
      expect(await database.query('SELECT operator FROM audit_log ORDER BY position')).toMatchObject([
        { operator: 'ana' },
        { operator: 'ana' },
        { operator: 'slow' },
      ]);
      expect(await findings()).toEqual([]);
    });

    it('in which two that commit at once wait for each other', async () => {
      const holder = new pg.Client({ connectionString: database.url });
      await holder.connect();
      try {
        await holder.query('BEGIN');
        await holder.query('SELECT FROM audit_head FOR UPDATE');
        const adding = add();
        await waitFor(async () => {
          const waiting = await database.query(
            `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query = 'COMMIT'
               AND datname = current_database()`,
          );
          return waiting.length === 1;
        });
        expect(await positions()).toEqual([]);
        await holder.query('COMMIT');
        await adding;
      } finally {
        await holder.end();
      }
      expect(await positions()).toEqual([1]);
    });

    it('to which nothing can be added, and so no command done, without its head', async () => {
      await tamper(database, 'DELETE FROM audit_head');
      await expect(add()).rejects.toMatchObject({ code: 'P0002' });
      expect(await positions()).toEqual([]);
      expect(await verifyAuditLog(dataSource)).toMatchObject({ rows: 0, head: undefined });
    });
  });
});
