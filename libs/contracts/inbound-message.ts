import * as z from 'zod';
import { Uuid } from './fields.js';
import { message, optional } from './message.js';
import { PendingInbound } from './pending-inbound.js';
import { ConversationScope } from './processing-scope.js';

/** What a channel publishes to `nexo.inbound.…`. A `session_id` makes that session the conversation's. Compiled: every message passes here. */
export const InboundMessage = z.compile(
  message({
    scope: ConversationScope,
    inbound: PendingInbound,
    session_id: optional(Uuid),
  }),
);
export type InboundMessage = z.infer<typeof InboundMessage>;
