import * as z from 'zod';
import { AgentEvent, AgentEventKind } from './agent-event.js';
import { EpochMs, Id, limitField } from './fields.js';
import { AGENT_EVENTS_LIST_LIMIT } from './limits.js';
import { message, optional } from './message.js';

/** Params of `nexo/admin/agent_events/list`. */
export const AgentEventsListParams = message({
  agent_id: Id,
  kind: optional(AgentEventKind),
  since_ms: optional(EpochMs),
  limit: optional(limitField(AGENT_EVENTS_LIST_LIMIT)),
});
export type AgentEventsListParams = z.infer<typeof AgentEventsListParams>;

/** Newest first. */
export const AgentEventsListResult = message({ events: z.array(AgentEvent) });
export type AgentEventsListResult = z.infer<typeof AgentEventsListResult>;
