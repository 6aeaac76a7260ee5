import * as z from 'zod';
import { EscalationState } from './escalation-state.js';
import { Id, limitField } from './fields.js';
import { LIST_LIMIT } from './limits.js';
import { message, optional } from './message.js';
import { ProcessingScope, ScopeKind } from './processing-scope.js';

/** Params of `nexo/admin/escalations/list`. */
export const EscalationsListParams = message({
  filter: optional(z.enum(['pending', 'resolved', 'all'])),
  agent_id: optional(Id),
  scope_kind: optional(ScopeKind),
  limit: optional(limitField(LIST_LIMIT)),
});
export type EscalationsListParams = z.infer<typeof EscalationsListParams>;

/** The escalation of one scope. */
export const EscalationEntry = message({ agent_id: Id, scope: ProcessingScope, state: EscalationState });
export type EscalationEntry = z.infer<typeof EscalationEntry>;

export const EscalationsListResult = message({ entries: z.array(EscalationEntry) });
export type EscalationsListResult = z.infer<typeof EscalationsListResult>;
