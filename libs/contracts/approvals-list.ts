import * as z from 'zod';
import { Approval, ApprovalStatus } from './approval.js';
import { limitField, Text } from './fields.js';
import { LIST_LIMIT } from './limits.js';
import { message, optional } from './message.js';

/** Params of `nexo/admin/approvals/list`. `cursor` is the `next_cursor` of the page before. */
export const ApprovalsListParams = message({
  status: optional(ApprovalStatus),
  limit: optional(limitField(LIST_LIMIT)),
  cursor: optional(Text),
});
export type ApprovalsListParams = z.infer<typeof ApprovalsListParams>;

export const ApprovalsListResult = message({ approvals: z.array(Approval), next_cursor: optional(Text) });
export type ApprovalsListResult = z.infer<typeof ApprovalsListResult>;
