import * as z from 'zod';
import { EntryRole } from './entry.js';
import { EpochMs, Id, limitField, Text, Uuid } from './fields.js';
import { AGENT_EVENTS_SEARCH_LIMIT } from './limits.js';
import { message, optional } from './message.js';

/** Params of `nexo/admin/agent_events/search`. Any query string is safe. */
export const AgentEventsSearchParams = message({
  agent_id: Id,
  query: Text,
  limit: optional(limitField(AGENT_EVENTS_SEARCH_LIMIT)),
});
export type AgentEventsSearchParams = z.infer<typeof AgentEventsSearchParams>;

/** A line of a transcript that fits the query. */
export const TranscriptHit = message({
  session_id: Uuid,
  timestamp_ms: EpochMs,
  role: EntryRole,
  source_plugin: Text,
  snippet: Text,
});
export type TranscriptHit = z.infer<typeof TranscriptHit>;

export const AgentEventsSearchResult = message({ hits: z.array(TranscriptHit) });
export type AgentEventsSearchResult = z.infer<typeof AgentEventsSearchResult>;
