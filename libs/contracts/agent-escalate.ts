import type * as z from 'zod';
import { ChangeResult } from './change-result.js';
import { EscalationReason, EscalationUrgency } from './escalation-state.js';
import { JsonValue, Text } from './fields.js';
import { MAX_ESCALATION_SUMMARY_CHARACTERS } from './limits.js';
import { message, optional } from './message.js';
import { ProcessingScope } from './processing-scope.js';
import { countCharacters } from './text.js';

const EscalationSummary = Text.refine(
  (text) => text !== '' && countCharacters(text) <= MAX_ESCALATION_SUMMARY_CHARACTERS,
  { error: `must be 1–${MAX_ESCALATION_SUMMARY_CHARACTERS} characters` },
).meta({ minLength: 1, maxLength: MAX_ESCALATION_SUMMARY_CHARACTERS });

/** Params of `nexo/agent/escalate`. Without `urgency` it is `normal`. */
export const AgentEscalateParams = message({
  scope: ProcessingScope,
  summary: EscalationSummary,
  reason: EscalationReason,
  urgency: optional(EscalationUrgency),
  context: optional(JsonValue),
});
export type AgentEscalateParams = z.infer<typeof AgentEscalateParams>;

export const AgentEscalateResult = ChangeResult;
export type AgentEscalateResult = ChangeResult;
