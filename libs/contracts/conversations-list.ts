import * as z from 'zod';
import { EntryRole } from './entry.js';
import { Count, EpochMs, Id, limitField, Text, Uuid } from './fields.js';
import { EscalationReason, EscalationUrgency } from './escalation-state.js';
import { LIST_LIMIT } from './limits.js';
import { message, optional } from './message.js';
import { ProcessingControlState, ProcessingStateName } from './processing-control-state.js';
import { ConversationScope } from './processing-scope.js';

/** The newest line of a conversation, cut to 200 characters. */
export const LastEntry = message({ role: EntryRole, body: Text, sent_at_ms: EpochMs });
export type LastEntry = z.infer<typeof LastEntry>;

/** One row of the operator's inbox. */
export const Conversation = message({
  scope: ConversationScope,
  state: ProcessingControlState,
  epoch: Count,
  session_id: optional(Uuid),
  pending_depth: Count,
  dropped_total: Count,
  last_entry: optional(LastEntry),
  last_activity_ms: EpochMs,
  escalation: optional(message({ urgency: EscalationUrgency, reason: EscalationReason, requested_at_ms: EpochMs })),
});
export type Conversation = z.infer<typeof Conversation>;

/** Params of `nexo/admin/conversations/list`. `cursor` is the `next_cursor` of the page before. */
export const ConversationsListParams = message({
  agent_id: optional(Id),
  state: optional(ProcessingStateName),
  limit: optional(limitField(LIST_LIMIT)),
  cursor: optional(Text),
});
export type ConversationsListParams = z.infer<typeof ConversationsListParams>;

/** Last active first. */
export const ConversationsListResult = message({
  conversations: z.array(Conversation),
  next_cursor: optional(Text),
});
export type ConversationsListResult = z.infer<typeof ConversationsListResult>;
