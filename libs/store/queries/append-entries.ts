import { bigints, booleans, texts, uuids } from '../columns.js';
import type { Transaction } from '../transaction.js';

/** A line to append to the transcript of (agent, session). */
export interface NewEntry {
  sessionId: string;
  agentId: string;
  conversationId: string;
  arrival: number;
  eventId: string;
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

const APPEND_ENTRIES = {
  name: 'append-entries',
  text: `
    WITH growth AS (
      SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[]) AS g (session_id, agent_id, lines)
    ), known AS (
      UPDATE sessions AS s SET next_seq = s.next_seq + growth.lines
      FROM growth WHERE s.session_id = growth.session_id AND s.agent_id = growth.agent_id
      RETURNING s.session_id, s.agent_id, s.next_seq
    ), created AS (
      INSERT INTO sessions AS s (session_id, agent_id, next_seq)
      SELECT growth.* FROM growth WHERE NOT EXISTS (
        SELECT FROM known WHERE known.session_id = growth.session_id AND known.agent_id = growth.agent_id)
      ON CONFLICT (session_id, agent_id) DO UPDATE SET next_seq = s.next_seq + excluded.next_seq
      RETURNING s.session_id, s.agent_id, s.next_seq
    ), grown AS (
      SELECT * FROM known UNION ALL SELECT * FROM created
    )
    INSERT INTO entries (session_id, agent_id, seq, conversation_id, arrival, event_id, role, body, sent_at_ms,
      sender_id, source_plugin, message_id, attachments, replayed)
    SELECT e.session_id, e.agent_id, grown.next_seq - e.from_end, e.conversation_id, e.arrival, e.event_id, e.role,
      e.body, e.sent_at_ms, e.sender_id, e.source_plugin, e.message_id, e.attachments, e.replayed
    FROM unnest($4::uuid[], $5::text[], $6::bigint[], $7::uuid[], $8::bigint[], $9::uuid[], $10::text[], $11::text[],
        $12::bigint[], $13::text[], $14::text[], $15::uuid[], $16::text[], $17::boolean[])
      AS e (session_id, agent_id, from_end, conversation_id, arrival, event_id, role, body, sent_at_ms, sender_id,
        source_plugin, message_id, attachments, replayed)
    JOIN grown USING (session_id, agent_id)
    RETURNING event_id, seq`,
};

/**
 * Appends lines, in the order given, to their transcripts.
 * @returns the `seq` of each, in the same order
 */
export async function appendEntries(tx: Transaction, entries: NewEntry[]): Promise<number[]> {
  if (entries.length === 0) return [];
  const sessions = new Map<string, { sessionId: string; agentId: string; count: number }>();
  const places = entries.map((entry) => {
    const key = `${entry.sessionId} ${entry.agentId}`;
    const session = sessions.get(key) ?? { sessionId: entry.sessionId, agentId: entry.agentId, count: 0 };
    sessions.set(key, session);
    return { session, index: session.count++ };
  });
  // In key order, so that two transactions that write to the same sessions cannot wait for each other.
  const grown = [...sessions].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, session]) => session);
  const rows = await tx.rows<{ event_id: string; seq: string }>(APPEND_ENTRIES, [
    uuids(grown, (session) => session.sessionId),
    texts(grown, (session) => session.agentId),
    bigints(grown, (session) => session.count),
    uuids(entries, (entry) => entry.sessionId),
    texts(entries, (entry) => entry.agentId),
    bigints(places, ({ session, index }) => session.count - index),
    uuids(entries, (entry) => entry.conversationId),
    bigints(entries, (entry) => entry.arrival),
    uuids(entries, (entry) => entry.eventId),
    texts(entries, (entry) => entry.role),
    texts(entries, (entry) => entry.body),
    bigints(entries, (entry) => entry.sentAtMs),
    texts(entries, (entry) => entry.senderId),
    texts(entries, (entry) => entry.sourcePlugin),
    uuids(entries, (entry) => entry.messageId),
    texts(entries, (entry) => entry.attachments),
    booleans(entries, (entry) => entry.replayed),
  ]);
  const seqs = new Map(rows.map((row) => [row.event_id, Number(row.seq)]));
  return entries.map((entry) => seqs.get(entry.eventId) as number);
}
