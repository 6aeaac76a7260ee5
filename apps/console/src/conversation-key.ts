import type { ConversationScope, ProcessingScope } from '#contracts/processing-scope.js';

/** A conversation's place in addresses and maps: its ids, each percent-encoded, separated by `/`. */
export function keyOf(scope: ConversationScope): string {
  const { agent_id, channel, account_id, contact_id, mcp_channel_source } = scope;
  const ids = [agent_id, channel, account_id, contact_id];
  return (mcp_channel_source === undefined ? ids : [...ids, mcp_channel_source]).map(encodeURIComponent).join('/');
}

/** The conversation of a key; undefined for what is none. */
export function scopeOfKey(key: string): ConversationScope | undefined {
  const [agent_id, channel, account_id, contact_id, mcp_channel_source, ...rest] = decodeParts(key);
  if (!agent_id || !channel || !account_id || !contact_id || rest.length > 0) return undefined;
  const scope: ConversationScope = { kind: 'conversation', agent_id, channel, account_id, contact_id };
  return mcp_channel_source ? { ...scope, mcp_channel_source } : scope;
}

/** The key of a scope that is a conversation. */
export function keyOfScope(scope: ProcessingScope): string | undefined {
  return scope.kind === 'conversation' ? keyOf(scope) : undefined;
}

function decodeParts(key: string): string[] {
  try {
    return key.split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
}
