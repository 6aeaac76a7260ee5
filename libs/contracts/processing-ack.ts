import * as z from 'zod';
import { Count, Uuid } from './fields.js';
import { message, optional } from './message.js';

const MAX_U32 = 2 ** 32 - 1;

/** The answer to pause, resume and intervention. `changed: false` is a no-op; `drained_pending` only on resume. */
export const ProcessingAck = message({
  changed: z.boolean(),
  correlation_id: Uuid,
  transcript_stamped: optional(z.boolean()),
  drained_pending: optional(z.int().min(0).max(MAX_U32)),
  epoch: optional(Count),
});
export type ProcessingAck = z.infer<typeof ProcessingAck>;
