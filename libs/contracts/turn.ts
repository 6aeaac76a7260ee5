import * as z from 'zod';
import { Entry } from './entry.js';
import { Count, Id, Text, Uuid } from './fields.js';
import { message, optional } from './message.js';
import { PendingInbound } from './pending-inbound.js';
import { ConversationScope } from './processing-scope.js';

/** An inbound within a turn; `answered` marks one that an operator has answered. */
export const TurnInbound = message({ ...PendingInbound.shape, answered: optional(z.literal(true)) });
export type TurnInbound = z.infer<typeof TurnInbound>;

/** Entries of a session that a turn had no room for, both ends included. */
export const TranscriptRange = message({ session_id: Uuid, from_seq: Count, to_seq: Count });
export type TranscriptRange = z.infer<typeof TranscriptRange>;

/** What the agent is asked to answer. At most 512 KiB of JSON. */
export const Turn = message({
  kind: z.literal('turn'),
  turn_id: Uuid,
  agent_id: Id,
  scope: ConversationScope,
  session_id: Uuid,
  epoch: Count,
  cause: z.enum(['inbound', 'resume']),
  inbounds: z.array(TurnInbound),
  entries: optional(z.array(Entry)),
  operator_summary: optional(Text),
  more: optional(z.array(TranscriptRange)),
});
export type Turn = z.infer<typeof Turn>;
