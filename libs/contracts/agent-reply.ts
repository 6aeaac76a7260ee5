import * as z from 'zod';
import { SuppressionReason } from './draft.js';
import { Count, Text, Uuid } from './fields.js';
import { ReplyAction } from './intervention-action.js';
import { message, optional } from './message.js';
import { ProcessingScope } from './processing-scope.js';

/** Params of `nexo/agent/reply`. `epoch` is that of the turn which is answered. */
export const AgentReplyParams = message({
  turn_id: Uuid,
  epoch: Count,
  scope: ProcessingScope,
  action: ReplyAction,
  session_id: optional(Uuid),
});
export type AgentReplyParams = z.infer<typeof AgentReplyParams>;

/** Sent to the contact, or kept as a draft. */
export const AgentReplyResult = z.discriminatedUnion('status', [
  message({ status: z.literal('sent'), outbound_message_id: optional(Text) }),
  message({ status: z.literal('suppressed'), reason: SuppressionReason, draft_id: Uuid }),
]);
export type AgentReplyResult = z.infer<typeof AgentReplyResult>;
