import * as z from 'zod';
import { Text } from './fields.js';
import { MAX_AUTO_RESUME_AFTER_MS, MIN_AUTO_RESUME_AFTER_MS } from './limits.js';
import { message, optional } from './message.js';
import { ProcessingAck } from './processing-ack.js';
import { ProcessingScope } from './processing-scope.js';

/** Params of `nexo/admin/processing/pause`. `auto_resume_after_ms` is from one second to seven days. */
export const ProcessingPauseParams = message({
  scope: ProcessingScope,
  operator_token_hash: Text,
  reason: optional(Text),
  auto_resume_after_ms: optional(z.int().min(MIN_AUTO_RESUME_AFTER_MS).max(MAX_AUTO_RESUME_AFTER_MS)),
  take_over: optional(z.boolean()),
});
export type ProcessingPauseParams = z.infer<typeof ProcessingPauseParams>;

export const ProcessingPauseResult = ProcessingAck;
export type ProcessingPauseResult = ProcessingAck;
