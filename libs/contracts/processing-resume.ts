import type * as z from 'zod';
import { Count, Text, Uuid } from './fields.js';
import { message, optional } from './message.js';
import { ProcessingAck } from './processing-ack.js';
import { ProcessingScope } from './processing-scope.js';

/** Params of `nexo/admin/processing/resume`. The rules of the summary are checked by `checkSummary`, after the token. */
export const ProcessingResumeParams = message({
  scope: ProcessingScope,
  operator_token_hash: Text,
  session_id: optional(Uuid),
  summary_for_agent: optional(Text),
  expected_epoch: optional(Count),
});
export type ProcessingResumeParams = z.infer<typeof ProcessingResumeParams>;

export const ProcessingResumeResult = ProcessingAck;
export type ProcessingResumeResult = ProcessingAck;
