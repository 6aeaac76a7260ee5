import * as z from 'zod';
import { Count, EpochMs } from './fields.js';
import { message, optional } from './message.js';
import { PendingInbound } from './pending-inbound.js';
import { ProcessingScope } from './processing-scope.js';

/** Params of `nexo/admin/processing/pending`. */
export const ProcessingPendingParams = message({ scope: ProcessingScope, include_evicted: optional(z.boolean()) });
export type ProcessingPendingParams = z.infer<typeof ProcessingPendingParams>;

/** An inbound that the cap pushed out of the buffer. */
export const EvictedInbound = message({ inbound: PendingInbound, evicted_at_ms: EpochMs });
export type EvictedInbound = z.infer<typeof EvictedInbound>;

/** What waits for the resume, oldest first; `evicted` only when asked for. */
export const ProcessingPendingResult = message({
  depth: Count,
  cap: Count,
  inbounds: z.array(PendingInbound),
  evicted: optional(z.array(EvictedInbound)),
});
export type ProcessingPendingResult = z.infer<typeof ProcessingPendingResult>;
