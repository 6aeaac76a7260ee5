import type { SuppressionReason } from '#contracts/draft.js';
import type { ReplyAction } from '#contracts/intervention-action.js';

/** A reply of the agent that was not sent. */
export interface StoredDraft {
  draftId: string;
  conversationId: string;
  turnId: string;
  /** As the agent wrote it while the draft is open, redacted afterwards. */
  action: ReplyAction;
  reason: SuppressionReason;
  status: 'open' | 'sent' | 'discarded';
  createdAtMs: number;
}

/** A draft with the identity of the conversation that it belongs to. */
export interface DraftOfConversation extends StoredDraft {
  agentId: string;
  channel: string;
  accountId: string;
  contactId: string;
  mcpChannelSource: string | null;
}

export interface DraftRow {
  draft_id: string;
  conversation_id: string;
  turn_id: string;
  action: string;
  reason: SuppressionReason;
  status: StoredDraft['status'];
  created_at_ms: string;
  agent_id: string;
  channel: string;
  account_id: string;
  contact_id: string;
  mcp_channel_source: string | null;
}

/**
 * Of drafts `d`, their conversations `c` and messages `o`. A draft counts as sent from the moment at which an operator
 * sends it, so that nobody else does, and is open again if the channel does not take it. What a pause called back is
 * open too, unless the channel had it all the same.
 */
export const DRAFT_COLUMNS = `d.draft_id, d.conversation_id, d.turn_id, d.action, d.reason, d.created_at_ms,
  CASE WHEN d.status <> 'open' THEN d.status
    WHEN d.outbound_id IS NULL OR o.status IN ('rejected', 'unavailable', 'recalled') THEN 'open'
    ELSE 'sent' END AS status,
  c.agent_id, c.channel, c.account_id, c.contact_id, c.mcp_channel_source`;

export const DRAFT_JOINS = `JOIN conversations AS c ON c.conversation_id = d.conversation_id
  LEFT JOIN outbounds AS o ON o.outbound_id = d.outbound_id`;

export function toDraft(row: DraftRow): DraftOfConversation {
  return {
    draftId: row.draft_id,
    conversationId: row.conversation_id,
    turnId: row.turn_id,
    action: JSON.parse(row.action) as ReplyAction,
    reason: row.reason,
    status: row.status,
    createdAtMs: Number(row.created_at_ms),
    agentId: row.agent_id,
    channel: row.channel,
    accountId: row.account_id,
    contactId: row.contact_id,
    mcpChannelSource: row.mcp_channel_source,
  };
}
