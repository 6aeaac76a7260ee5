import { bigints, integers, texts, uuids } from '../columns.js';
import type { Transaction } from '../transaction.js';

import { growth, GROWN_SESSIONS } from './grow-sessions.js';

/** An inbound of an active conversation: a line of the transcript, and a turn to publish. */
export interface ActiveInbound {
  inboundId: string;
  conversationId: string;
  arrival: number;
  sessionId: string;
  agentId: string;
  body: string;
  sentAtMs: number;
  senderId: string;
  sourcePlugin: string;
  messageId: string | null;
  /** JSON text of an array. */
  attachments: string | null;
}

const APPEND_ACTIVE_INBOUNDS = {
  name: 'append-active-inbounds',
  text: `
    WITH ${GROWN_SESSIONS}, line AS MATERIALIZED (
      SELECT i.*, grown.session_id, grown.agent_id, grown.next_seq - i.from_end AS seq
      FROM unnest($4::int[], $5::bigint[], $6::uuid[], $7::uuid[], $8::bigint[], $9::text[], $10::bigint[],
          $11::text[], $12::text[], $13::uuid[], $14::text[])
        WITH ORDINALITY AS i (place, from_end, inbound_id, conversation_id, arrival, body, sent_at_ms, sender_id,
          source_plugin, message_id, attachments, position)
      JOIN grown USING (place)
      ORDER BY i.position
    ), appended AS (
      INSERT INTO entries (session_id, agent_id, seq, conversation_id, arrival, event_id, role, body, sent_at_ms,
        sender_id, source_plugin, message_id, attachments)
      SELECT session_id, agent_id, seq, conversation_id, arrival, inbound_id, 'user', body, sent_at_ms, sender_id,
        source_plugin, message_id, attachments
      FROM line
    ), remembered AS (
      INSERT INTO inbounds (inbound_id, conversation_id, arrival, session_id, entry_seq)
      SELECT inbound_id, conversation_id, arrival, session_id, seq FROM line
    ), to_publish AS (
      INSERT INTO outbox (ordering_key, kind, inbound_id) SELECT conversation_id, 'turn', inbound_id FROM line
    )
    SELECT place, next_seq FROM grown`,
};

/**
 * Appends inbounds, in the order given, to their transcripts, remembers that they were received, and leaves a
 * reference to each in the outbox. The event of such a line has the inbound's id.
 * @returns the `seq` of each, in the same order
 */
export async function appendActiveInbounds(tx: Transaction, inbounds: ActiveInbound[]): Promise<number[]> {
  if (inbounds.length === 0) return [];
  const { sessions, places } = growth(inbounds);
  const rows = await tx.rows<{ place: number; next_seq: string }>(APPEND_ACTIVE_INBOUNDS, [
    uuids(sessions, (session) => session.sessionId),
    texts(sessions, (session) => session.agentId),
    bigints(sessions, (session) => session.lines),
    integers(places, ({ session }) => session.place),
    bigints(places, ({ session, index }) => session.lines - index),
    uuids(inbounds, (each) => each.inboundId),
    uuids(inbounds, (each) => each.conversationId),
    bigints(inbounds, (each) => each.arrival),
    texts(inbounds, (each) => each.body),
    bigints(inbounds, (each) => each.sentAtMs),
    texts(inbounds, (each) => each.senderId),
    texts(inbounds, (each) => each.sourcePlugin),
    uuids(inbounds, (each) => each.messageId),
    texts(inbounds, (each) => each.attachments),
  ]);
  const nextSeqs = new Array<number>(sessions.length);
  for (const row of rows) nextSeqs[row.place] = Number(row.next_seq);
  return places.map(({ session, index }) => (nextSeqs[session.place] as number) - session.lines + index);
}
