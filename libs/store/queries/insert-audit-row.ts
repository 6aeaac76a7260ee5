import type { AuditOutcome } from '#contracts/audit-list.js';
import type { ProcessingScope } from '#contracts/processing-scope.js';

import type { Transaction } from '../transaction.js';

/** The trace of one command. No message text and no token belongs into any of it. */
export interface NewAuditRow {
  /** The operator's hash, `system`, or `unknown` for whoever had no valid token. */
  operator: string;
  method: string;
  scope?: ProcessingScope | undefined;
  /** Needed where there is no scope; otherwise it is the scope's. */
  agentId?: string | undefined;
  outcome: AuditOutcome;
  changed: boolean;
  /** A machine word. */
  reason?: string | undefined;
  correlationId: string;
  paramsSha256: string;
}

const INSERT_AUDIT_ROW = {
  name: 'insert-audit-row',
  text: `
    INSERT INTO audit_log (at_ms, operator, method, scope, agent_id, outcome, changed, reason, correlation_id, params_sha256)
    VALUES ((extract(epoch FROM clock_timestamp()) * 1000)::bigint, $1, $2, $3, $4, $5, $6, $7, $8, $9)`,
};

/** Adds to the audit log, in the transaction of the effect that it tells of. */
export async function insertAuditRow(tx: Transaction, row: NewAuditRow): Promise<void> {
  await tx.rows(INSERT_AUDIT_ROW, auditValues(row));
}

/** The parameters $1 to $9 of an insert into the audit log. */
export function auditValues(row: NewAuditRow): unknown[] {
  return [
    row.operator,
    row.method,
    row.scope === undefined ? null : JSON.stringify(row.scope),
    row.scope?.agent_id ?? row.agentId ?? null,
    row.outcome,
    row.changed,
    row.reason ?? null,
    row.correlationId,
    row.paramsSha256,
  ];
}
