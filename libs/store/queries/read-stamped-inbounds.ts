import { uuids } from '../columns.js';
import type { Transaction } from '../transaction.js';

/** An inbound with the line that it became and the conversation that it belongs to. */
export interface StampedInbound {
  inboundId: string;
  agentId: string;
  channel: string;
  accountId: string;
  contactId: string;
  mcpChannelSource: string | null;
  epoch: number;
  sessionId: string;
  seq: number;
  /** That of the event of the line. */
  eventId: string;
  messageId: string | null;
  fromContactId: string;
  body: string;
  timestampMs: number;
  sourcePlugin: string;
  /** JSON text of an array. */
  attachments: string | null;
}

interface Row {
  inbound_id: string;
  agent_id: string;
  channel: string;
  account_id: string;
  contact_id: string;
  mcp_channel_source: string | null;
  epoch: string;
  session_id: string;
  seq: string;
  event_id: string;
  message_id: string | null;
  from_contact_id: string;
  body: string;
  timestamp_ms: string;
  source_plugin: string;
  attachments: string | null;
}

const READ_STAMPED_INBOUNDS = {
  name: 'read-stamped-inbounds',
  text: `
    SELECT i.inbound_id, c.agent_id, c.channel, c.account_id, c.contact_id, c.mcp_channel_source, c.epoch,
      e.session_id, e.seq, e.event_id, e.message_id, e.sender_id AS from_contact_id, e.body, e.sent_at_ms AS timestamp_ms,
      e.source_plugin, e.attachments
    FROM unnest($1::uuid[]) AS wanted (inbound_id)
    JOIN inbounds AS i USING (inbound_id)
    JOIN conversations AS c ON c.conversation_id = i.conversation_id
    JOIN entries AS e ON e.session_id = i.session_id AND e.seq = i.entry_seq AND e.agent_id = c.agent_id`,
};

/** Stamped inbounds by their ids, in any order. */
export async function readStampedInbounds(tx: Transaction, inboundIds: string[]): Promise<StampedInbound[]> {
  if (inboundIds.length === 0) return [];
  const rows = await tx.rows<Row>(READ_STAMPED_INBOUNDS, [uuids(inboundIds, (id) => id)]);
  return rows.map((row) => ({
    inboundId: row.inbound_id,
    agentId: row.agent_id,
    channel: row.channel,
    accountId: row.account_id,
    contactId: row.contact_id,
    mcpChannelSource: row.mcp_channel_source,
    epoch: Number(row.epoch),
    sessionId: row.session_id,
    seq: Number(row.seq),
    eventId: row.event_id,
    messageId: row.message_id,
    fromContactId: row.from_contact_id,
    body: row.body,
    timestampMs: Number(row.timestamp_ms),
    sourcePlugin: row.source_plugin,
    attachments: row.attachments,
  }));
}
