import type { AuditOutcome } from '#contracts/audit-list.js';

import type { Reader } from '../read.js';

export interface ListedAuditRow {
  position: number;
  atMs: number;
  operator: string;
  method: string;
  /** JSON text. */
  scope: string | null;
  outcome: AuditOutcome;
  changed: boolean;
  reason: string | null;
  correlationId: string;
  paramsSha256: string;
}

type Row = Omit<ListedAuditRow, 'position' | 'atMs'> & { position: string; atMs: string };

/** What of the audit log is asked for; absent filters let everything pass. */
export interface AuditPage {
  method?: string | undefined;
  operator?: string | undefined;
  agentId?: string | undefined;
  outcome?: AuditOutcome | undefined;
  /** Inclusive. */
  sinceMs?: number | undefined;
  /** Exclusive; absent on the first page. */
  beforePosition?: number | undefined;
  limit: number;
}

const FILTERS = {
  beforePosition: 'position < ?::bigint',
  method: 'method = ?',
  operator: 'operator = ?',
  agentId: 'agent_id = ?',
  outcome: 'outcome = ?',
  sinceMs: 'at_ms >= ?::bigint',
} as const;

/** Rows of the audit log, newest first: in the order of the chain, which is that of the commits. */
export async function listAuditRows(reader: Reader, page: AuditPage): Promise<ListedAuditRow[]> {
  const given = (Object.keys(FILTERS) as (keyof typeof FILTERS)[]).filter((filter) => page[filter] !== undefined);
  const conditions = given.map((filter, index) => FILTERS[filter].replace('?', `$${index + 2}`));
  // One statement a combination of filters, so that each is planned for the index that serves it.
  const statement = {
    name: `list-audit-rows ${given.join(' ')}`,
    text: `
      SELECT position, at_ms AS "atMs", operator, method, scope, outcome, changed, reason,
        correlation_id AS "correlationId", params_sha256 AS "paramsSha256"
      FROM audit_log
      WHERE ${['position IS NOT NULL', ...conditions].join(' AND ')}
      ORDER BY position DESC LIMIT $1`,
  };
  const rows = await reader.rows<Row>(statement, [page.limit, ...given.map((filter) => page[filter])]);
  return rows.map((row) => ({ ...row, position: Number(row.position), atMs: Number(row.atMs) }));
}
