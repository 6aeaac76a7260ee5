import type { AuditListParams, AuditListResult, AuditRow } from '#contracts/audit-list.js';
import { LIST_LIMIT } from '#contracts/limits.js';
import type { ProcessingScope } from '#contracts/processing-scope.js';
import { type ListedAuditRow, listAuditRows } from '#store/queries/list-audit-rows.js';
import { readOnce } from '#store/read.js';

import { decodeAuditCursor, encodeAuditCursor } from '../commands/audit-cursor.js';
import type { CommandDependencies } from '../commands/command-dependencies.js';
import { firstThatFit } from '../commands/result-size.js';

/**
 * The audit log, newest first. What is added while somebody reads on comes before the first page, so no page shows a
 * row twice or leaves one out. A page that would be too large for one answer ends earlier.
 */
export async function auditList(
  { dataSource }: Pick<CommandDependencies, 'dataSource'>,
  params: AuditListParams,
): Promise<AuditListResult> {
  const limit = params.limit ?? LIST_LIMIT.fallback;
  const found = await readOnce(dataSource, (reader) =>
    listAuditRows(reader, {
      method: params.method,
      operator: params.operator,
      agentId: params.agent_id,
      outcome: params.outcome,
      sinceMs: params.since_ms,
      beforePosition: params.cursor === undefined ? undefined : decodeAuditCursor(params.cursor),
      limit: limit + 1,
    }),
  );
  const rows = firstThatFit(found.slice(0, limit).map(toAuditRow));
  const last = rows.at(-1);
  return {
    rows,
    ...(last !== undefined && rows.length < found.length ? { next_cursor: encodeAuditCursor(last.id) } : {}),
  };
}

function toAuditRow(row: ListedAuditRow): AuditRow {
  return {
    id: row.position,
    at_ms: row.atMs,
    operator: row.operator,
    method: row.method,
    ...(row.scope === null ? {} : { scope: JSON.parse(row.scope) as ProcessingScope }),
    outcome: row.outcome,
    changed: row.changed,
    ...(row.reason === null ? {} : { reason: row.reason }),
    correlation_id: row.correlationId,
    params_sha256: row.paramsSha256,
  };
}
