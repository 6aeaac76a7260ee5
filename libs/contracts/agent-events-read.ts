import * as z from 'zod';
import { TranscriptAppendedEvent } from './agent-event.js';
import { Count, Id, limitField, Uuid } from './fields.js';
import { AGENT_EVENTS_READ_LIMIT } from './limits.js';
import { message, optional } from './message.js';

/** Params of `nexo/admin/agent_events/read`. `since_seq` is exclusive. */
export const AgentEventsReadParams = message({
  agent_id: Id,
  session_id: Uuid,
  since_seq: optional(Count),
  limit: optional(limitField(AGENT_EVENTS_READ_LIMIT)),
});
export type AgentEventsReadParams = z.infer<typeof AgentEventsReadParams>;

/** Oldest first. */
export const AgentEventsReadResult = message({ events: z.array(TranscriptAppendedEvent) });
export type AgentEventsReadResult = z.infer<typeof AgentEventsReadResult>;
