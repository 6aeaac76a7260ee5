import type * as z from 'zod';
import { Text, Uuid } from './fields.js';
import { message, optional } from './message.js';
import { ProcessingScope } from './processing-scope.js';
import { Turn } from './turn.js';

/** Params of `nexo/admin/processing/preview`: those of the resume that is considered. */
export const ProcessingPreviewParams = message({
  scope: ProcessingScope,
  session_id: optional(Uuid),
  summary_for_agent: optional(Text),
});
export type ProcessingPreviewParams = z.infer<typeof ProcessingPreviewParams>;

/** The turn that a resume would publish now; absent when it would publish none. */
export const ProcessingPreviewResult = message({ turn: optional(Turn) });
export type ProcessingPreviewResult = z.infer<typeof ProcessingPreviewResult>;
