import * as z from 'zod';
import { Attachments, Count, Id, Text, Uuid } from './fields.js';
import { MessageKind } from './intervention-action.js';
import { message, optional } from './message.js';
import { ConversationScope } from './processing-scope.js';

/** Who wrote a message to the contact. */
export const MessageOrigin = z.enum(['operator', 'agent']);
export type MessageOrigin = z.infer<typeof MessageOrigin>;

/** What a channel is asked to send. The same `outbound_id` is the same message, whatever happens in between. */
export const OutboundMessage = message({
  outbound_id: Uuid,
  scope: ConversationScope,
  channel: Id,
  account_id: Id,
  to: Id,
  body: Text,
  msg_kind: MessageKind,
  attachments: optional(Attachments),
  reply_to_msg_id: optional(Text),
  origin: MessageOrigin,
  epoch: Count,
});
export type OutboundMessage = z.infer<typeof OutboundMessage>;
