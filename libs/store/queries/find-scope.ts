import type { Reader } from '../read.js';

/** The ids of a stored conversation. */
export interface StoredScope {
  agentId: string;
  channel: string;
  accountId: string;
  contactId: string;
  mcpChannelSource: string | null;
}

export interface StoredScopeRow {
  agent_id: string;
  channel: string;
  account_id: string;
  contact_id: string;
  mcp_channel_source: string | null;
}

const FIND_SCOPE = {
  name: 'find-scope',
  text: `
    SELECT agent_id, channel, account_id, contact_id, mcp_channel_source
    FROM conversations WHERE conversation_id = $1`,
};

export async function findScope(reader: Reader, conversationId: string): Promise<StoredScope | undefined> {
  const [row] = await reader.rows<StoredScopeRow>(FIND_SCOPE, [conversationId]);
  return row && toStoredScope(row);
}

export function toStoredScope(row: StoredScopeRow): StoredScope {
  return {
    agentId: row.agent_id,
    channel: row.channel,
    accountId: row.account_id,
    contactId: row.contact_id,
    mcpChannelSource: row.mcp_channel_source,
  };
}
