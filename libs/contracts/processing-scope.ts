import * as z from 'zod';
import { Id, Text } from './fields.js';
import { MAX_SUBJECT_BYTES } from './limits.js';
import { message, optional } from './message.js';
import { conversationSubjectFits } from './subjects.js';

/** One conversation of an agent with a contact: the only scope that is routed. */
export const ConversationScope = message({
  kind: z.literal('conversation'),
  agent_id: Id,
  channel: Id,
  account_id: Id,
  contact_id: Id,
  mcp_channel_source: optional(Id),
}).refine(conversationSubjectFits, {
  error: `the subject built from these ids must be at most ${MAX_SUBJECT_BYTES} bytes`,
});
export type ConversationScope = z.infer<typeof ConversationScope>;

/** One agent on one channel account. Reserved. */
export const AgentBindingScope = message({
  kind: z.literal('agent_binding'),
  agent_id: Id,
  channel: Id,
  account_id: Id,
});
export type AgentBindingScope = z.infer<typeof AgentBindingScope>;

/** A whole agent. Reserved. */
export const AgentScope = message({ kind: z.literal('agent'), agent_id: Id });
export type AgentScope = z.infer<typeof AgentScope>;

/** A pattern of event subjects. Reserved. */
export const EventStreamScope = message({ kind: z.literal('event_stream'), agent_id: Id, subject_pattern: Text });
export type EventStreamScope = z.infer<typeof EventStreamScope>;

/** A queue of batch jobs. Reserved. */
export const BatchQueueScope = message({ kind: z.literal('batch_queue'), agent_id: Id, queue_name: Text });
export type BatchQueueScope = z.infer<typeof BatchQueueScope>;

/** A scope that the caller defines. Reserved. */
export const CustomScope = message({ kind: z.literal('custom'), agent_id: Id, scope_kind: Text, scope_id: Id });
export type CustomScope = z.infer<typeof CustomScope>;

/** What can be paused, tagged by `kind`. An unknown kind does not parse. */
export const ProcessingScope = z.discriminatedUnion('kind', [
  ConversationScope,
  AgentBindingScope,
  AgentScope,
  EventStreamScope,
  BatchQueueScope,
  CustomScope,
]);
export type ProcessingScope = z.infer<typeof ProcessingScope>;

/** The tags of {@link ProcessingScope}. */
export const ScopeKind = z.enum(['conversation', 'agent_binding', 'agent', 'event_stream', 'batch_queue', 'custom']);
export type ScopeKind = z.infer<typeof ScopeKind>;

/** True for the scopes that Holdline carries out; the others are answered `not_implemented`. */
export function isRouted(scope: ProcessingScope): scope is ConversationScope {
  return scope.kind === 'conversation';
}
