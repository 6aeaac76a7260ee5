import type { EscalationReason, EscalationUrgency } from '#contracts/escalation-state.js';
import type { ConversationState } from '#domain/conversation/decide.js';

import { CONVERSATION_STATE_COLUMNS, toConversationState, type ConversationStateRow } from '../conversation-state.js';
import type { Reader } from '../read.js';

/** Where a page ended: the place of its last conversation in the order of activity. */
export interface ActivityPlace {
  lastActivityMs: number;
  conversationId: string;
}

export interface ListedConversation extends ActivityPlace {
  agentId: string;
  channel: string;
  accountId: string;
  contactId: string;
  mcpChannelSource: string | null;
  sessionId: string;
  state: ConversationState;
  pendingDepth: number;
  droppedTotal: number;
  /** The escalation that waits for a person. */
  escalation: { urgency: EscalationUrgency; reason: EscalationReason; requestedAtMs: number } | undefined;
  /** The newest line of the session, cut to the number of characters that was asked for. */
  lastLine: { role: 'user' | 'assistant' | 'tool' | 'system'; body: string; sentAtMs: number } | undefined;
}

interface Row extends ConversationStateRow {
  conversation_id: string;
  agent_id: string;
  channel: string;
  account_id: string;
  contact_id: string;
  mcp_channel_source: string | null;
  session_id: string;
  pending_depth: string;
  dropped_total: string;
  last_activity_ms: string;
  line_role: NonNullable<ListedConversation['lastLine']>['role'] | null;
  line_body: string;
  line_sent_at_ms: string;
  reason_bytes: string;
  escalation_urgency: EscalationUrgency | null;
  escalation_reason: EscalationReason;
  escalation_requested_at_ms: string;
}

export interface ConversationPage {
  agentId: string | undefined;
  state: ConversationState['state'] | undefined;
  after: ActivityPlace | undefined;
  limit: number;
  /** Conversations after this many bytes of reasons are left for the next page. */
  maxReasonBytes: number;
  lineCharacters: number;
}

/** Before every conversation in the order of the list. */
const START: ActivityPlace = {
  lastActivityMs: Number.MAX_SAFE_INTEGER,
  conversationId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/** One statement a filter, so that each is planned for the index that serves it: that one is of whole minutes. */
function listConversationsBy(state: ConversationState['state'] | undefined, ofAgent: boolean) {
  const filters = `${state === undefined ? '' : ` AND state = '${state}'`}${ofAgent ? ' AND agent_id = $6' : ''}`;
  return {
    name: `list-conversations-${state ?? 'any'}-${ofAgent ? 'agent' : 'all'}`,
    text: `
      SELECT c.*, e.urgency AS escalation_urgency, e.reason AS escalation_reason,
        e.requested_at_ms AS escalation_requested_at_ms, line.role AS line_role, line.body AS line_body, line.sent_at_ms AS line_sent_at_ms
      FROM (
        SELECT *, sum(coalesce(octet_length(pause_reason), 0))
          OVER (ORDER BY activity_minute DESC, last_activity_ms DESC, conversation_id DESC) AS reason_bytes
        FROM (
          SELECT conversation_id, agent_id, channel, account_id, contact_id, mcp_channel_source, session_id,
            ${CONVERSATION_STATE_COLUMNS}, taken_back + buffer_tail - buffer_head AS pending_depth, dropped_total,
            last_activity_ms, activity_minute
          FROM conversations
          WHERE (activity_minute, last_activity_ms, conversation_id) < ($1::bigint / 60000, $1::bigint, $2::uuid)${filters}
          ORDER BY activity_minute DESC, last_activity_ms DESC, conversation_id DESC
          LIMIT $3
        ) AS page
      ) AS c
      LEFT JOIN escalations AS e ON e.conversation_id = c.conversation_id AND e.resolved_at_ms IS NULL
      LEFT JOIN LATERAL (
        SELECT role, left(body, $4) AS body, sent_at_ms
        FROM entries
        WHERE session_id = c.session_id AND agent_id = c.agent_id
        ORDER BY seq DESC
        LIMIT 1
      ) AS line ON true
      WHERE reason_bytes - coalesce(octet_length(pause_reason), 0) < $5
      ORDER BY c.last_activity_ms DESC, c.conversation_id DESC`,
  };
}

/** One page of conversations, last active first, and whether another page may follow. */
export async function listConversations(
  reader: Reader,
  page: ConversationPage,
): Promise<{ conversations: ListedConversation[]; more: boolean }> {
  const { lastActivityMs, conversationId } = page.after ?? START;
  const values = [lastActivityMs, conversationId, page.limit + 1, page.lineCharacters, page.maxReasonBytes];
  const rows = await reader.rows<Row>(
    listConversationsBy(page.state, page.agentId !== undefined),
    page.agentId === undefined ? values : [...values, page.agentId],
  );
  return {
    conversations: rows.slice(0, page.limit).map(toConversation),
    more: rows.length > page.limit || Number(rows.at(-1)?.reason_bytes ?? 0) >= page.maxReasonBytes,
  };
}

function toConversation(row: Row): ListedConversation {
  return {
    conversationId: row.conversation_id,
    lastActivityMs: Number(row.last_activity_ms),
    agentId: row.agent_id,
    channel: row.channel,
    accountId: row.account_id,
    contactId: row.contact_id,
    mcpChannelSource: row.mcp_channel_source,
    sessionId: row.session_id,
    state: toConversationState(row),
    pendingDepth: Number(row.pending_depth),
    droppedTotal: Number(row.dropped_total),
    escalation:
      row.escalation_urgency === null
        ? undefined
        : {
            urgency: row.escalation_urgency,
            reason: row.escalation_reason,
            requestedAtMs: Number(row.escalation_requested_at_ms),
          },
    lastLine:
      row.line_role === null
        ? undefined
        : { role: row.line_role, body: row.line_body, sentAtMs: Number(row.line_sent_at_ms) },
  };
}
