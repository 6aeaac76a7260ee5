import * as z from 'zod';
import { EpochMs, Uuid } from './fields.js';
import { ReplyAction } from './intervention-action.js';
import { message } from './message.js';
import { ProcessingScope } from './processing-scope.js';

/** Why a reply of the agent was not sent. */
export const SuppressionReason = z.enum(['paused', 'stale_epoch']);
export type SuppressionReason = z.infer<typeof SuppressionReason>;

/** A reply of the agent that was not sent, as the agent wrote it. */
export const Draft = message({
  draft_id: Uuid,
  scope: ProcessingScope,
  turn_id: Uuid,
  action: ReplyAction,
  reason: SuppressionReason,
  status: z.enum(['open', 'sent', 'discarded']),
  created_at_ms: EpochMs,
});
export type Draft = z.infer<typeof Draft>;
