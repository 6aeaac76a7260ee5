import { randomUUID } from 'node:crypto';

import { jest } from '@jest/globals';
import pg from 'pg';

import { insertStrangerAuditRow } from '#store/queries/insert-stranger-audit-row.js';
import { withTransaction } from '#store/transaction.js';

import { emptyAuditLog, tamper } from '../../../../test/harness/audit-log.js';
import { newScope } from '../../../../test/harness/client.js';
import { CommandHarness, requestOf } from '../../../../test/harness/commands.js';
import { waitFor } from '../../../../test/harness/wait-for.js';
import { runCommand } from './run-command.js';
import { StrangerLog } from './stranger-log.js';

const PAUSE = 'nexo/admin/processing/pause';
const MINUTE_MS = 60_000;

describe('requests without a valid token', () => {
  let harness: CommandHarness;
  let nowMs = 0;

  beforeAll(async () => {
    harness = await CommandHarness.create();
  });
  beforeEach(async () => {
    nowMs = 5;
    await emptyAuditLog(harness.database);
  });
  afterAll(() => harness.close());

  const aProcess = () => new StrangerLog(harness.dataSource, harness.metrics, harness.logger, () => nowMs);
  const request = () => ({ method: PAUSE, correlationId: randomUUID(), paramsSha256: 'f'.repeat(64) });
  const ageOfLog = (ms: number) => tamper(harness.database, 'UPDATE audit_log SET at_ms = at_ms - $1::bigint', [ms]);

  it('are counted each, and audited once a minute by all processes together', async () => {
    const processes = [aProcess(), aProcess(), aProcess()];
    const countBefore = await counted();
    await Promise.all(processes.flatMap((each) => Array.from({ length: 20 }, () => each.note(request()))));
    expect(await harness.audit()).toMatchObject([
      { operator: 'unknown', method: PAUSE, outcome: 'refused', changed: false, reason: 'unauthenticated' },
    ]);
    expect((await counted()) - countBefore).toBe(60);

    nowMs += MINUTE_MS;
    await ageOfLog(MINUTE_MS - 5_000);
    await processes[0]?.note(request());
    expect(await harness.audit()).toHaveLength(1);

    nowMs += MINUTE_MS;
    await ageOfLog(10_000);
    await Promise.all(processes.map((each) => each.note(request())));
    expect(await harness.audit()).toHaveLength(2);
  });

  it('are audited once when two processes do so at the same time', async () => {
    const row = () => ({ ...request(), reason: 'unauthenticated' });
    let second: Promise<boolean> | undefined;
    const first = await withTransaction(harness.dataSource, async (tx) => {
      const added = await insertStrangerAuditRow(tx, row(), MINUTE_MS);
      second = withTransaction(harness.dataSource, (other) => insertStrangerAuditRow(other, row(), MINUTE_MS));
      await waitFor(async () => {
        const waiters = await harness.database.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiters.length > 0;
      });
      return added;
    });
    expect([first, await second]).toEqual([true, false]);
  });

  it('ask nothing of the database within the minute', async () => {
    const log = aProcess();
    await log.note(request());
    const statements = jest.spyOn(pg.Client.prototype, 'query');
    try {
      await log.note(request());
      expect(statements).not.toHaveBeenCalled();
    } finally {
      statements.mockRestore();
    }
  });

  it('do not keep a known operator from being audited', async () => {
    const deps = harness.dependencies();
    const operator = await harness.createOperator(['audit_read']);
    const params = { scope: newScope(), operator_token_hash: operator.hash };
    for (const each of [requestOf(), requestOf(operator), requestOf(), requestOf(operator)]) {
      await expect(runCommand(deps, PAUSE, (() => undefined) as never, params, each)).rejects.toThrow();
    }
    const operators = (await harness.audit()).map((row) => row.operator);
    expect(operators).toEqual(['unknown', operator.hash, operator.hash]);
  });

  it('are refused all the same when the row cannot be written', async () => {
    await harness.database.query('ALTER TABLE audit_log RENAME TO audit_log_away');
    try {
      const params = { scope: newScope(), operator_token_hash: 'x' };
      const run = runCommand(harness.dependencies(), PAUSE, (() => undefined) as never, params, requestOf());
      await expect(run).rejects.toMatchObject({ code: -32001 });
    } finally {
      await harness.database.query('ALTER TABLE audit_log_away RENAME TO audit_log');
    }
  });

  async function counted(): Promise<number> {
    const figures = await harness.metrics.registry.metrics();
    return Number(/^holdline_unauthenticated_requests_total (\d+)/m.exec(figures)?.[1] ?? 0);
  }
});
