import * as z from 'zod';
import { Attachments, Count, EpochMs, Text, Uuid } from './fields.js';
import { message, optional } from './message.js';

/** Who said a line of the transcript. */
export const EntryRole = z.enum(['user', 'assistant', 'tool', 'system']);
export type EntryRole = z.infer<typeof EntryRole>;

/** What the channel last said about a line that was sent. */
export const EntryDelivery = z.enum(['sent', 'delivered', 'read', 'failed', 'unknown']);
export type EntryDelivery = z.infer<typeof EntryDelivery>;

/** One line of a transcript. `seq` counts from 0 within the session; an operator's line that was sent but not stamped has none. */
export const Entry = message({
  seq: optional(Count),
  role: EntryRole,
  body: Text,
  sent_at_ms: EpochMs,
  sender_id: optional(Text),
  source_plugin: Text,
  message_id: optional(Uuid),
  attachments: optional(Attachments),
  replayed: optional(z.literal(true)),
  delivery: optional(EntryDelivery),
});
export type Entry = z.infer<typeof Entry>;
