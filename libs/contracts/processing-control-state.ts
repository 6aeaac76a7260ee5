import * as z from 'zod';
import { EpochMs, Text } from './fields.js';
import { message, optional } from './message.js';
import { ProcessingScope } from './processing-scope.js';

/** The agent owns the scope: the state of every scope that nobody paused. */
export const AgentActiveState = message({ state: z.literal('agent_active') });
export type AgentActiveState = z.infer<typeof AgentActiveState>;

/** An operator holds the scope. `auto_resume_at_ms` is when Holdline will resume it by itself. */
export const PausedByOperatorState = message({
  state: z.literal('paused_by_operator'),
  scope: ProcessingScope,
  paused_at_ms: EpochMs,
  operator_token_hash: Text,
  reason: optional(Text),
  auto_resume_at_ms: optional(EpochMs),
});
export type PausedByOperatorState = z.infer<typeof PausedByOperatorState>;

/** Who has a scope, tagged by `state`. */
export const ProcessingControlState = z.discriminatedUnion('state', [AgentActiveState, PausedByOperatorState]);
export type ProcessingControlState = z.infer<typeof ProcessingControlState>;

/** The tag of {@link ProcessingControlState} alone. */
export const ProcessingStateName = z.enum(['agent_active', 'paused_by_operator']);
export type ProcessingStateName = z.infer<typeof ProcessingStateName>;
