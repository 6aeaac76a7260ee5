import * as z from 'zod';
import { Text } from './fields.js';
import { message, optional } from './message.js';

/** The channel took the message. */
export const OutboundAccepted = message({ outbound_message_id: optional(Text), error: optional(z.never()) });
export type OutboundAccepted = z.infer<typeof OutboundAccepted>;

/** The channel refused the message; nothing was sent. */
export const OutboundRefused = message({ error: message({ reason: Text, detail: optional(Text) }) });
export type OutboundRefused = z.infer<typeof OutboundRefused>;

/** What a channel answers to an `OutboundMessage`. An `error` that is not understood is no acceptance. */
export const OutboundAck = z.union([OutboundRefused, OutboundAccepted]);
export type OutboundAck = z.infer<typeof OutboundAck>;
