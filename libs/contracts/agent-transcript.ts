import * as z from 'zod';
import { Entry } from './entry.js';
import { Count, Id, limitField, Uuid } from './fields.js';
import { AGENT_TRANSCRIPT_LIMIT } from './limits.js';
import { message, optional } from './message.js';

/** Params of `nexo/agent/transcript`. `since_seq` is exclusive. */
export const AgentTranscriptParams = message({
  agent_id: Id,
  session_id: Uuid,
  since_seq: optional(Count),
  limit: optional(limitField(AGENT_TRANSCRIPT_LIMIT)),
});
export type AgentTranscriptParams = z.infer<typeof AgentTranscriptParams>;

/** Oldest first. `next_seq`, when there is more, is the `since_seq` of the next page. */
export const AgentTranscriptResult = message({ entries: z.array(Entry), next_seq: optional(Count) });
export type AgentTranscriptResult = z.infer<typeof AgentTranscriptResult>;
