import { randomUUID } from 'node:crypto';

import type { DataSource } from 'typeorm';

import { ALL_CAPABILITIES, type Capability } from '#contracts/capabilities.js';
import { tokenHash } from '#domain/operators/token-hash.js';
import { createLogger } from '#runtime/logger.js';
import { Metrics } from '#runtime/metrics.js';
import { createDataSource } from '#store/data-source.js';
import { newToken } from '#store/operators.js';
import { insertOperator } from '#store/queries/insert-operator.js';
import { withTransaction } from '#store/transaction.js';

import type { CommandDependencies } from '../../apps/conversations/src/commands/command-dependencies.js';
import { StrangerLog } from '../../apps/conversations/src/commands/stranger-log.js';
import type { LogLine } from './conversations.js';
import type { TestOperator } from './harness.js';
import { TestDatabase } from './postgres.js';

/** A row of the audit log as it is stored. */
export interface StoredAuditRow {
  operator: string;
  method: string;
  scope: string | null;
  agent_id: string | null;
  outcome: string;
  changed: boolean;
  reason: string | null;
  correlation_id: string;
  params_sha256: string;
}

/** What the pipeline of commands and the handlers of reads need: a database, and no broker. */
export class CommandHarness {
  readonly logs: LogLine[] = [];
  readonly metrics = new Metrics();
  readonly logger = createLogger('test', 'debug', {
    write: (line) => void this.logs.push(JSON.parse(line) as LogLine),
  });

  private constructor(
    readonly database: TestDatabase,
    readonly dataSource: DataSource,
  ) {}

  static async create(): Promise<CommandHarness> {
    const database = await TestDatabase.create();
    const dataSource = createDataSource({ url: database.url, poolSize: 4, applicationName: 'test' });
    await dataSource.initialize();
    return new CommandHarness(database, dataSource);
  }

  /** Dependencies of a process that checks tokens. */
  dependencies(dataSource = this.dataSource): CommandDependencies {
    return {
      dataSource,
      logger: this.logger,
      metrics: this.metrics,
      adminAuth: 'token',
      strangers: new StrangerLog(dataSource, this.metrics, this.logger),
    };
  }

  async createOperator(capabilities: readonly Capability[] = ALL_CAPABILITIES): Promise<TestOperator> {
    const token = newToken();
    const operator = { token, name: 'a test operator', capabilities, createdAtMs: 1_700_000_000_000 };
    await withTransaction(this.dataSource, (tx) => insertOperator(tx, operator));
    return { token, hash: tokenHash(token) };
  }

  /** The audit rows of one command, or all. */
  audit(correlationId?: string): Promise<StoredAuditRow[]> {
    return this.database.query(
      `SELECT operator, method, scope, agent_id, outcome, changed, reason, correlation_id, params_sha256
       FROM audit_log WHERE $1::uuid IS NULL OR correlation_id = $1 ORDER BY id`,
      [correlationId ?? null],
    );
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
    await this.database.drop();
  }
}

/** A request as the transport hands it over. */
export function requestOf(operator?: TestOperator): { correlationId: string; bearerToken?: string } {
  return { correlationId: randomUUID(), ...(operator === undefined ? {} : { bearerToken: operator.token }) };
}
