import * as z from 'zod';
import { Approval } from './approval.js';
import { Id, Text, Uuid } from './fields.js';
import { message, optional } from './message.js';

/**
 * Params of `nexo/admin/approvals/decide`. A denial needs a `reason` that is not blank; for people tools
 * `target_user_id` must be the target.
 */
export const ApprovalsDecideParams = message({
  approval_id: Uuid,
  decision: z.enum(['approved', 'denied']),
  reason: optional(Text),
  target_user_id: optional(Id),
  operator_token_hash: Text,
}).refine((params) => params.decision !== 'denied' || (params.reason ?? '').trim() !== '', {
  path: ['reason'],
  error: 'is needed to deny',
});
export type ApprovalsDecideParams = z.infer<typeof ApprovalsDecideParams>;

export const ApprovalsDecideResult = message({ approval: Approval });
export type ApprovalsDecideResult = z.infer<typeof ApprovalsDecideResult>;
