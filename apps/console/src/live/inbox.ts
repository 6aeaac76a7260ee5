import type { Conversation } from '#contracts/conversations-list.js';

import { keyOf } from '../conversation-key.js';

/** The conversations that the page knows. */
export interface Inbox {
  rows: ReadonlyMap<string, Conversation>;
  /** The keys of the conversations whose lines go to a session, by {@link sessionKey}. */
  bySession: ReadonlyMap<string, readonly string[]>;
  /** Where the next page begins; undefined once all are known. */
  nextCursor: string | undefined;
}

export const EMPTY_INBOX: Inbox = { rows: new Map(), bySession: new Map(), nextCursor: undefined };

/** The inbox is not filled beyond this. */
export const MOST_ROWS = 10_000;

export function sessionKey(agentId: string, sessionId: string): string {
  return `${sessionId}/${agentId}`;
}

/** The inbox with conversations as they were just read. */
export function mergeConversations(inbox: Inbox, read: readonly Conversation[]): Inbox {
  const rows = new Map(inbox.rows);
  for (const conversation of read) rows.set(keyOf(conversation.scope), conversation);
  return { ...inbox, rows, bySession: indexSessions(rows) };
}

/** The inbox with one conversation changed; the same inbox when it is unknown. */
export function changeConversation(
  inbox: Inbox,
  key: string,
  change: (conversation: Conversation) => Conversation,
): Inbox {
  const known = inbox.rows.get(key);
  if (known === undefined) return inbox;
  const changed = change(known);
  return changed === known ? inbox : { ...inbox, rows: new Map(inbox.rows).set(key, changed) };
}

function indexSessions(rows: ReadonlyMap<string, Conversation>): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const [key, { scope, session_id }] of rows) {
    if (session_id === undefined) continue;
    const session = sessionKey(scope.agent_id, session_id);
    const keys = index.get(session);
    if (keys === undefined) index.set(session, [key]);
    else keys.push(key);
  }
  return index;
}
