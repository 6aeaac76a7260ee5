import type { EntryDelivery } from '#contracts/entry.js';

/** A line of a transcript with the id of its `transcript_appended` event. */
export interface StampedLine {
  eventId: string;
  sessionId: string;
  seq: number;
  role: 'user' | 'assistant' | 'tool' | 'system';
  body: string;
  sentAtMs: number;
  senderId: string | null;
  sourcePlugin: string;
  messageId: string | null;
  replayed: boolean;
  /** What became of a line that was sent to the contact; null for others. */
  delivery: EntryDelivery | null;
}

export interface StampedLineRow {
  event_id: string;
  session_id: string;
  seq: string;
  role: StampedLine['role'];
  body: string;
  sent_at_ms: string;
  sender_id: string | null;
  source_plugin: string;
  message_id: string | null;
  replayed: boolean;
  delivery: EntryDelivery | null;
}

export const STAMPED_LINE_COLUMNS =
  'event_id, session_id, seq, role, body, sent_at_ms, sender_id, source_plugin, message_id, replayed, delivery';

export function toStampedLine(row: StampedLineRow): StampedLine {
  return {
    eventId: row.event_id,
    sessionId: row.session_id,
    seq: Number(row.seq),
    role: row.role,
    body: row.body,
    sentAtMs: Number(row.sent_at_ms),
    senderId: row.sender_id,
    sourcePlugin: row.source_plugin,
    messageId: row.message_id,
    replayed: row.replayed,
    delivery: row.delivery,
  };
}
