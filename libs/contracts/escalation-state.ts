import * as z from 'zod';
import { EpochMs, JsonValue, Text } from './fields.js';
import { message, optional } from './message.js';
import { ProcessingScope } from './processing-scope.js';

/** Why an agent asks for a person. */
export const EscalationReason = z.enum([
  'out_of_scope',
  'missing_data',
  'needs_human_judgment',
  'complaint',
  'error',
  'ambiguity',
  'policy_violation',
  'unknown_query',
  'other',
]);
export type EscalationReason = z.infer<typeof EscalationReason>;

/** How soon a person is needed. */
export const EscalationUrgency = z.enum(['low', 'normal', 'high']);
export type EscalationUrgency = z.infer<typeof EscalationUrgency>;

export const DEFAULT_ESCALATION_URGENCY: EscalationUrgency = 'normal';

/** How an escalation ended. `reason` is what the operator gave when dismissing it. */
export const EscalationResolution = z.discriminatedUnion('kind', [
  message({ kind: z.literal('operator_takeover') }),
  message({ kind: z.literal('operator_dismissed'), reason: optional(Text) }),
  message({ kind: z.literal('agent_resolved') }),
]);
export type EscalationResolution = z.infer<typeof EscalationResolution>;

/** The escalation of a scope, tagged by `state`. */
export const EscalationState = z.discriminatedUnion('state', [
  message({ state: z.literal('none') }),
  message({
    state: z.literal('pending'),
    scope: ProcessingScope,
    summary: Text,
    reason: EscalationReason,
    urgency: EscalationUrgency,
    context: optional(JsonValue),
    requested_at_ms: EpochMs,
  }),
  message({
    state: z.literal('resolved'),
    scope: ProcessingScope,
    resolved_at_ms: EpochMs,
    by: EscalationResolution,
  }),
]);
export type EscalationState = z.infer<typeof EscalationState>;
