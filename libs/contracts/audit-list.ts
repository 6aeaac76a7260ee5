import * as z from 'zod';
import { Count, EpochMs, Id, limitField, Text, Uuid } from './fields.js';
import { LIST_LIMIT } from './limits.js';
import { message, optional } from './message.js';
import { ProcessingScope } from './processing-scope.js';

/** How a command ended. */
export const AuditOutcome = z.enum(['ok', 'refused', 'error']);
export type AuditOutcome = z.infer<typeof AuditOutcome>;

/** Params of `nexo/admin/audit/list`. `cursor` is the `next_cursor` of the page before. */
export const AuditListParams = message({
  method: optional(Text),
  operator: optional(Text),
  agent_id: optional(Id),
  outcome: optional(AuditOutcome),
  since_ms: optional(EpochMs),
  limit: optional(limitField(LIST_LIMIT)),
  cursor: optional(Text),
});
export type AuditListParams = z.infer<typeof AuditListParams>;

/** The trace of one command, without message text. */
export const AuditRow = message({
  id: Count,
  at_ms: EpochMs,
  operator: Text,
  method: Text,
  scope: optional(ProcessingScope),
  outcome: AuditOutcome,
  changed: z.boolean(),
  reason: optional(Text),
  correlation_id: Uuid,
  params_sha256: Text,
});
export type AuditRow = z.infer<typeof AuditRow>;

export const AuditListResult = message({ rows: z.array(AuditRow), next_cursor: optional(Text) });
export type AuditListResult = z.infer<typeof AuditListResult>;
