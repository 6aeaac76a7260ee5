import * as z from 'zod';
import { Text, Uuid } from './fields.js';
import { message, optional } from './message.js';

/** Params of `nexo/agent/done`: `nothing_to_say` answers the turn, `failed` keeps it open. */
export const AgentDoneParams = message({
  turn_id: Uuid,
  outcome: z.enum(['nothing_to_say', 'failed']),
  detail: optional(Text),
});
export type AgentDoneParams = z.infer<typeof AgentDoneParams>;

export const AgentDoneResult = message({ changed: z.boolean() });
export type AgentDoneResult = z.infer<typeof AgentDoneResult>;
