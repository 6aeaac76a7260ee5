import { bigints, booleans, integers, texts, uuids } from '../columns.js';
import type { Transaction } from '../transaction.js';

import { growth, GROWN_SESSIONS } from './grow-sessions.js';

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
    WITH ${GROWN_SESSIONS}
    INSERT INTO entries (session_id, agent_id, seq, conversation_id, arrival, event_id, role, body, sent_at_ms,
      sender_id, source_plugin, message_id, attachments, replayed)
    SELECT grown.session_id, grown.agent_id, grown.next_seq - e.from_end, e.conversation_id, e.arrival, e.event_id,
      e.role, e.body, e.sent_at_ms, e.sender_id, e.source_plugin, e.message_id, e.attachments, e.replayed
    FROM unnest($4::int[], $5::bigint[], $6::uuid[], $7::bigint[], $8::uuid[], $9::text[], $10::text[],
        $11::bigint[], $12::text[], $13::text[], $14::uuid[], $15::text[], $16::boolean[])
      AS e (place, from_end, conversation_id, arrival, event_id, role, body, sent_at_ms, sender_id, source_plugin,
        message_id, attachments, replayed)
    JOIN grown USING (place)
    RETURNING event_id, seq`,
};

/**
 * Appends lines, in the order given, to their transcripts.
 * @returns the `seq` of each, in the same order
 */
export async function appendEntries(tx: Transaction, entries: NewEntry[]): Promise<number[]> {
  if (entries.length === 0) return [];
  const { sessions, places } = growth(entries);
  const rows = await tx.rows<{ event_id: string; seq: string }>(APPEND_ENTRIES, [
    uuids(sessions, (session) => session.sessionId),
    texts(sessions, (session) => session.agentId),
    bigints(sessions, (session) => session.lines),
    integers(places, ({ session }) => session.place),
    bigints(places, ({ session, index }) => session.lines - index),
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
