import type { Entry } from '#contracts/entry.js';
import type { StampedEntry } from '#store/queries/entries-since.js';

/** A stamped line as the wire shows it to the agent. */
export function entryOf(line: StampedEntry): Entry {
  return {
    seq: line.seq,
    role: line.role,
    body: line.body,
    sent_at_ms: line.sentAtMs,
    ...(line.senderId === null ? {} : { sender_id: line.senderId }),
    source_plugin: line.sourcePlugin,
    ...(line.messageId === null ? {} : { message_id: line.messageId }),
    ...(line.attachments === null ? {} : { attachments: JSON.parse(line.attachments) as unknown[] }),
    ...(line.replayed ? { replayed: true as const } : {}),
    ...(line.delivery === null ? {} : { delivery: line.delivery }),
  };
}
