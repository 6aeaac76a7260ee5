import type { Transaction } from '../transaction.js';

/** A stamped line of a conversation. */
export interface StampedEntry {
  sessionId: string;
  seq: number;
  role: 'user' | 'assistant' | 'tool' | 'system';
  body: string;
  sentAtMs: number;
  senderId: string | null;
  sourcePlugin: string;
  messageId: string | null;
  /** JSON text of an array. */
  attachments: string | null;
  replayed: boolean;
}

interface Row {
  session_id: string;
  seq: string;
  role: StampedEntry['role'];
  body: string;
  sent_at_ms: string;
  sender_id: string | null;
  source_plugin: string;
  message_id: string | null;
  attachments: string | null;
  replayed: boolean;
}

const ENTRIES_SINCE = {
  name: 'entries-since',
  text: `
    SELECT session_id, seq, role, body, sent_at_ms, sender_id, source_plugin, message_id, attachments, replayed
    FROM entries WHERE conversation_id = $1 AND arrival >= $2 ORDER BY arrival`,
};

/** All that was said in a conversation from a number of arrival on, in order of arrival. */
export async function entriesSince(tx: Transaction, conversationId: string, arrival: number): Promise<StampedEntry[]> {
  const rows = await tx.rows<Row>(ENTRIES_SINCE, [conversationId, arrival]);
  return rows.map((row) => ({
    sessionId: row.session_id,
    seq: Number(row.seq),
    role: row.role,
    body: row.body,
    sentAtMs: Number(row.sent_at_ms),
    senderId: row.sender_id,
    sourcePlugin: row.source_plugin,
    messageId: row.message_id,
    attachments: row.attachments,
    replayed: row.replayed,
  }));
}
