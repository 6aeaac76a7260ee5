import type { TranscriptAppendedEvent } from '#contracts/agent-event.js';
import type { EntryDelivery } from '#contracts/entry.js';
import type { NewEntry } from '#store/queries/append-entries.js';

/** What the event of a line tells of it. */
export type ToldLine = Omit<NewEntry, 'conversationId' | 'arrival' | 'attachments'> & {
  /** Known where a line is read again. */
  delivery?: EntryDelivery | null;
};

/** The event of a line of the transcript. */
export function transcriptAppended(line: ToldLine, seq: number): TranscriptAppendedEvent {
  return {
    kind: 'transcript_appended',
    event_id: line.eventId,
    agent_id: line.agentId,
    session_id: line.sessionId,
    seq,
    role: line.role,
    body: line.body,
    sent_at_ms: line.sentAtMs,
    ...(line.senderId === null ? {} : { sender_id: line.senderId }),
    source_plugin: line.sourcePlugin,
    ...(line.messageId === null ? {} : { message_id: line.messageId }),
    ...(line.delivery == null ? {} : { delivery: line.delivery }),
    ...(line.replayed ? { replayed: true as const } : {}),
  };
}
