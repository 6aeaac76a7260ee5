import { randomUUID } from 'node:crypto';

import type { DataSource } from 'typeorm';

import { auditRow, emptyAuditLog, rehash, tamper } from '../../test/harness/audit-log.js';
import { TestDatabase } from '../../test/harness/postgres.js';
import { createDataSource } from './data-source.js';
import { insertAuditRow, type NewAuditRow } from './queries/insert-audit-row.js';
import { withTransaction } from './transaction.js';
import { verifyAuditLog } from './verify-audit-log.js';

const TWO_DAYS_MS = 2 * 86_400_000;

describe('the audit log, verified,', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await TestDatabase.create();
    dataSource = createDataSource({ url: database.url, poolSize: 8, applicationName: 'test' });
    await dataSource.initialize();
  });
  beforeEach(async () => {
    await emptyAuditLog(database);
    await addMany(6);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const add = (more: Partial<NewAuditRow> = {}) =>
    withTransaction(dataSource, (tx) => insertAuditRow(tx, auditRow(more)));
  const addMany = async (count: number) => {
    for (let added = 0; added < count; added += 1) await add({ reason: `row ${added + 1}` });
  };
  const age = (where: string) => tamper(database, `UPDATE audit_log SET at_ms = at_ms - ${TWO_DAYS_MS} WHERE ${where}`);
  const findings = async () => (await verifyAuditLog(dataSource)).findings;

  it('is whole', async () => {
    expect(await verifyAuditLog(dataSource)).toMatchObject({
      rows: 6,
      head: { position: 6 },
      removedThrough: undefined,
      findings: [],
    });
  });

  it.each([
    ['at_ms = at_ms + 1'],
    [`operator = 'eve'`],
    [`method = 'x'`],
    ['scope = NULL'],
    [`agent_id = 'other'`],
    [`outcome = 'error'`],
    ['changed = false'],
    ['reason = NULL'],
    [`correlation_id = '${randomUUID()}'`],
    [`params_sha256 = ''`],
    [`hash = sha256('x')`],
  ])('shows a row that was changed: %s', async (change) => {
    await tamper(database, `UPDATE audit_log SET ${change} WHERE position = 3`);
    expect(await findings()).toContainEqual({ kind: 'changed', position: 3 });
  });

  it('shows what moved from one field to the next', async () => {
    await tamper(database, `UPDATE audit_log SET operator = 'an', method = 'a' || method WHERE position = 3`);
    expect(await findings()).toEqual([{ kind: 'changed', position: 3 }]);
  });

  it('shows that a row and its hash were changed', async () => {
    await tamper(database, `UPDATE audit_log SET operator = 'eve' WHERE position = 3`);
    await tamper(
      database,
      `UPDATE audit_log AS a SET hash = audit_row_hash((SELECT hash FROM audit_log WHERE position = 2), a)
         WHERE position = 3`,
    );
    expect(await findings()).toEqual([{ kind: 'changed', position: 4 }]);
  });

  it('shows rows that are missing: at the beginning, in the middle and at the end', async () => {
    await tamper(database, 'DELETE FROM audit_log WHERE position IN (1, 3, 4, 6)');
    expect(await findings()).toEqual([
      { kind: 'missing', from: 1, to: 1 },
      { kind: 'missing', from: 3, to: 4 },
      { kind: 'missing', from: 6, to: 6 },
    ]);
  });

  it('shows that all rows are missing', async () => {
    await tamper(database, 'TRUNCATE audit_log');
    expect(await findings()).toEqual([{ kind: 'missing', from: 1, to: 6 }]);
  });

  it('shows that the end was cut off and the head set back', async () => {
    const { head } = await verifyAuditLog(dataSource);
    await tamper(database, 'DELETE FROM audit_log WHERE position = 6');
    await tamper(
      database,
      'UPDATE audit_head SET position = 5, hash = (SELECT hash FROM audit_log WHERE position = 5)',
    );
    expect(await findings()).toEqual([]);
    expect((await verifyAuditLog(dataSource, head)).findings).toEqual([{ kind: 'rewritten', position: 6 }]);
    await addMany(2);
    expect((await verifyAuditLog(dataSource, head)).findings).toEqual([{ kind: 'rewritten', position: 6 }]);
  });

  it('shows to who kept the head that all of the chain was written anew', async () => {
    const { head } = await verifyAuditLog(dataSource);
    await addMany(1);
    expect((await verifyAuditLog(dataSource, head)).findings).toEqual([]);
    await tamper(database, `UPDATE audit_log SET operator = 'eve' WHERE position = 3`);
    await rehash(database);
    expect(await findings()).toEqual([]);
    expect((await verifyAuditLog(dataSource, head)).findings).toEqual([{ kind: 'rewritten', position: 6 }]);
  });

  it('shows rows that were inserted: outside of the chain, behind its end, and twice', async () => {
    const columns = 'at_ms, operator, method, outcome, changed, correlation_id, params_sha256';
    const values = `1, 'eve', 'x', 'ok', true, '${randomUUID()}', ''`;
    await tamper(database, 'DROP INDEX audit_log_position');
    await tamper(database, `INSERT INTO audit_log (${columns}) VALUES (${values})`);
    for (const position of [0, 3, 7]) {
      await tamper(
        database,
        `INSERT INTO audit_log (${columns}, position, hash) VALUES (${values}, ${position}, sha256('x'))`,
      );
    }
    expect(await findings()).toEqual([
      { kind: 'inserted', position: 0, id: '8' },
      { kind: 'inserted', position: 3, id: '9' },
      { kind: 'inserted', position: 7, id: '10' },
      { kind: 'outside_of_chain', id: '7' },
    ]);
    await emptyAuditLog(database);
    await database.query('CREATE UNIQUE INDEX audit_log_position ON audit_log (position)');
  });

  it('shows a row of what retention has removed', async () => {
    await age('position <= 4');
    await rehash(database);
    await database.query('DELETE FROM audit_log WHERE position <= 3');
    await tamper(
      database,
      `INSERT INTO audit_log (at_ms, operator, method, outcome, changed, correlation_id, params_sha256, position, hash)
         VALUES (1, 'eve', 'x', 'ok', true, '${randomUUID()}', '', 2, sha256('x'))`,
    );
    expect(await findings()).toEqual([{ kind: 'inserted', position: 2, id: '8' }]);
    await tamper(database, 'DELETE FROM audit_log WHERE position IN (2, 4)');
    expect(await findings()).toEqual([{ kind: 'missing', from: 4, to: 4 }]);
  });

  it('shows a head that is not the hash of the newest row', async () => {
    await tamper(database, `UPDATE audit_head SET hash = sha256('x')`);
    expect(await findings()).toEqual([{ kind: 'changed', position: 6 }]);
  });
});
