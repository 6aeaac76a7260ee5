import type * as z from 'zod';
import { Attachments, EpochMs, Id, Text, Uuid } from './fields.js';
import { message, optional } from './message.js';

/** One message of a contact as the channel delivered it. `body` may be empty only when there are attachments. */
export const PendingInbound = message({
  message_id: optional(Uuid),
  from_contact_id: Id,
  body: Text,
  timestamp_ms: EpochMs,
  source_plugin: Id,
  attachments: optional(Attachments),
}).refine((inbound) => inbound.body.length > 0 || inbound.attachments !== undefined, {
  path: ['body'],
  error: 'may be empty only with attachments',
});
export type PendingInbound = z.infer<typeof PendingInbound>;
