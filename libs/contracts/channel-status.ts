import * as z from 'zod';
import { EpochMs, Text, Uuid } from './fields.js';
import { message, optional } from './message.js';

/** What became of a message that the channel took. */
export const ChannelStatus = message({
  outbound_id: Uuid,
  status: z.enum(['delivered', 'read', 'failed']),
  detail: optional(Text),
  at_ms: EpochMs,
});
export type ChannelStatus = z.infer<typeof ChannelStatus>;
