import type * as z from 'zod';
import { Attachments, EpochMs, Id, Text, Uuid } from './fields.js';
import { message, optional } from './message.js';

/** A message that left the channel account, by whomever it was sent. */
export const ChannelEcho = message({
  outbound_id: optional(Uuid),
  outbound_message_id: optional(Text),
  to: Id,
  body: Text,
  timestamp_ms: EpochMs,
  attachments: optional(Attachments),
});
export type ChannelEcho = z.infer<typeof ChannelEcho>;
