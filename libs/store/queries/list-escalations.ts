import type { EscalationReason, EscalationResolution, EscalationUrgency } from '#contracts/escalation-state.js';

import type { Reader } from '../read.js';
import { type StoredScope, type StoredScopeRow, toStoredScope } from './find-scope.js';

/** The newest escalation of a conversation. */
export interface ListedEscalation extends StoredScope {
  summary: string;
  reason: EscalationReason;
  urgency: EscalationUrgency;
  /** JSON. */
  context: string | null;
  requestedAtMs: number;
  /** Undefined while it waits. */
  resolved: { atMs: number; by: EscalationResolution['kind']; dismissReason: string | null } | undefined;
}

export interface EscalationPage {
  filter: 'pending' | 'resolved' | 'all';
  agentId: string | undefined;
  limit: number;
  /** The list ends after this many bytes of texts. */
  maxBytes: number;
}

interface Row extends StoredScopeRow {
  summary: string;
  reason: EscalationReason;
  urgency: EscalationUrgency;
  context: string | null;
  requested_at_ms: string;
  resolved_at_ms: string | null;
  resolved_by: EscalationResolution['kind'] | null;
  dismiss_reason: string | null;
}

const WAITING = `
  (SELECT * FROM escalations WHERE resolved_at_ms IS NULL AND ($1::text IS NULL OR agent_id = $1)
   ORDER BY requested_at_ms LIMIT $2)`;

const RESOLVED = `
  (SELECT * FROM escalations AS e
   WHERE resolved_at_ms IS NOT NULL AND ($1::text IS NULL OR agent_id = $1)
     AND NOT EXISTS (
       SELECT FROM escalations AS later
       WHERE later.conversation_id = e.conversation_id
         AND (later.requested_at_ms, later.escalation_id) > (e.requested_at_ms, e.escalation_id))
   ORDER BY resolved_at_ms DESC LIMIT $2)`;

const SELECTIONS = { pending: WAITING, resolved: RESOLVED, all: `${WAITING} UNION ALL ${RESOLVED}` };

/** One statement a filter, so that each is planned for the index that serves it. */
function listEscalationsBy(filter: EscalationPage['filter']) {
  return {
    name: `list-escalations-${filter}`,
    text: `
      SELECT c.agent_id, c.channel, c.account_id, c.contact_id, c.mcp_channel_source, e.summary, e.reason, e.urgency,
        e.context, e.requested_at_ms, e.resolved_at_ms, e.resolved_by, e.dismiss_reason
      FROM (
        SELECT *, row_number() OVER listed AS place,
          sum(octet_length(summary) + coalesce(octet_length(context), 0)) OVER listed AS bytes
        FROM (${SELECTIONS[filter]}) AS selected
        WINDOW listed AS (
          ORDER BY resolved_at_ms IS NOT NULL, resolved_at_ms DESC, requested_at_ms, escalation_id
          ROWS UNBOUNDED PRECEDING)
      ) AS e
      JOIN conversations AS c USING (conversation_id)
      WHERE e.place = 1 OR e.bytes <= $3
      ORDER BY e.place LIMIT $2`,
  };
}

/** Escalations, one a conversation: those that wait first, the longest waiting at the top, then the last resolved. */
export async function listEscalations(reader: Reader, page: EscalationPage): Promise<ListedEscalation[]> {
  const values = [page.agentId ?? null, page.limit, page.maxBytes];
  const rows = await reader.rows<Row>(listEscalationsBy(page.filter), values);
  return rows.map((row) => ({
    ...toStoredScope(row),
    summary: row.summary,
    reason: row.reason,
    urgency: row.urgency,
    context: row.context,
    requestedAtMs: Number(row.requested_at_ms),
    resolved:
      row.resolved_at_ms === null || row.resolved_by === null
        ? undefined
        : { atMs: Number(row.resolved_at_ms), by: row.resolved_by, dismissReason: row.dismiss_reason },
  }));
}
