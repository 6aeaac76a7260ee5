import { randomUUID } from 'node:crypto';

import type { AuditListParams } from '#contracts/audit-list.js';
import { insertAuditRow, type NewAuditRow } from '#store/queries/insert-audit-row.js';
import { withTransaction } from '#store/transaction.js';

import { emptyAuditLog, tamper } from '../../../../test/harness/audit-log.js';
import { newScope } from '../../../../test/harness/client.js';
import { CommandHarness, requestOf } from '../../../../test/harness/commands.js';
import { runCommand } from '../commands/run-command.js';
import { auditList } from './audit-list.js';

const LIST = 'nexo/admin/audit/list';
const PAUSE = 'nexo/admin/processing/pause';
const RESUME = 'nexo/admin/processing/resume';

describe('audit/list', () => {
  let harness: CommandHarness;

  beforeAll(async () => {
    harness = await CommandHarness.create();
  });
  beforeEach(() => emptyAuditLog(harness.database));
  afterAll(() => harness.close());

  const add = (more: Partial<NewAuditRow> = {}) =>
    withTransaction(harness.dataSource, (tx) =>
      insertAuditRow(tx, {
        operator: 'ana',
        method: PAUSE,
        outcome: 'ok',
        changed: true,
        correlationId: randomUUID(),
        paramsSha256: 'f'.repeat(64),
        ...more,
      }),
    );
  const list = (params: AuditListParams = {}) => auditList(harness, params);
  const ids = async (params: AuditListParams = {}) => (await list(params)).rows.map(({ id }) => id);

  it('shows every field of a row, and none that is not there', async () => {
    const scope = newScope();
    const [correlationId, other] = [randomUUID(), randomUUID()];
    await add({ scope, reason: 'auto_resume', correlationId });
    await add({ operator: 'unknown', outcome: 'refused', changed: false, correlationId: other });
    const row = { at_ms: expect.any(Number), method: PAUSE, params_sha256: 'f'.repeat(64) };
    const done = { outcome: 'ok', changed: true, reason: 'auto_resume', correlation_id: correlationId };
    expect(await list()).toEqual({
      rows: [
        { ...row, id: 2, operator: 'unknown', outcome: 'refused', changed: false, correlation_id: other },
        { ...row, id: 1, operator: 'ana', scope, ...done },
      ],
    });
  });

  it('filters by method, operator, agent, outcome and time, together too', async () => {
    await add({ agentId: 'bot' });
    await add({ operator: 'ben', scope: newScope('bot') });
    await add({ operator: 'ben', method: RESUME, outcome: 'refused' });
    await add({ method: RESUME });
    await tamper(harness.database, 'UPDATE audit_log SET at_ms = position * 1000');
    expect(await ids({ method: RESUME })).toEqual([4, 3]);
    expect(await ids({ operator: 'ben' })).toEqual([3, 2]);
    expect(await ids({ agent_id: 'bot' })).toEqual([2, 1]);
    expect(await ids({ outcome: 'refused' })).toEqual([3]);
    expect(await ids({ since_ms: 3000 })).toEqual([4, 3]);
    expect(await ids({ operator: 'ben', agent_id: 'bot', method: PAUSE, outcome: 'ok', since_ms: 2000 })).toEqual([2]);
    expect(await ids({ operator: 'ben', agent_id: 'other' })).toEqual([]);
  });

  it('goes on where the page before ended, while rows are added', async () => {
    for (let count = 0; count < 5; count += 1) await add({ operator: count % 2 === 0 ? 'ana' : 'ben' });
    const first = await list({ limit: 2 });
    await add();
    const second = await list({ limit: 2, cursor: first.next_cursor as string });
    await add();
    const third = await list({ limit: 2, cursor: second.next_cursor as string });
    expect([first, second, third].map(({ rows }) => rows.map(({ id }) => id))).toEqual([[5, 4], [3, 2], [1]]);
    expect(third).not.toHaveProperty('next_cursor');
    const ana = await list({ operator: 'ana', limit: 3 });
    expect(await ids({ operator: 'ana', cursor: ana.next_cursor as string })).toEqual([3, 1]);
    const all = await list({ limit: 7 });
    expect(all.rows).toHaveLength(7);
    expect(all).not.toHaveProperty('next_cursor');
  });

  it.each(['', 'x', 'LTE', 'MS41', 'OTk5OTk5OTk5OTk5OTk5OTk5'])('refuses the cursor %j', async (cursor) => {
    await expect(list({ cursor })).rejects.toMatchObject({ code: -32602, data: { path: 'cursor' } });
  });

  it('ends a page before it would be too large for one answer', async () => {
    const wide = 'é'.repeat(128);
    const scope = { ...newScope(), agent_id: 'a', contact_id: wide, mcp_channel_source: wide };
    await tamper(
      harness.database,
      `INSERT INTO audit_log (at_ms, operator, method, scope, outcome, changed, correlation_id, params_sha256, position, hash)
       SELECT 1, repeat('x', 500), 'm', $1, 'ok', true, gen_random_uuid(), repeat('f', 64), n, ''
       FROM generate_series(1, 1000) AS n`,
      [JSON.stringify(scope)],
    );
    const seen: number[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 5; pages += 1) {
      const page = await list({ limit: 1_000, ...(cursor === undefined ? {} : { cursor }) });
      expect(JSON.stringify(page).length).toBeLessThan(1_000_000);
      seen.push(...page.rows.map(({ id }) => id));
      if ((cursor = page.next_cursor) === undefined) break;
    }
    expect(seen).toEqual(Array.from({ length: 1_000 }, (_, index) => 1_000 - index));
  });

  it('needs audit_read', async () => {
    const operator = await harness.createOperator(['operators_manage']);
    const run = runCommand(harness.dependencies(), LIST, auditList, {}, requestOf(operator));
    await expect(run).rejects.toMatchObject({ code: -32004, data: { capability: 'audit_read' } });
  });
});
