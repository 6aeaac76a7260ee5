import type { ProcessingPendingParams, ProcessingPendingResult } from '#contracts/processing-pending.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { conversationId } from '#domain/conversation/conversation-id.js';
import { findPending } from '#store/queries/find-pending.js';
import { readOnce } from '#store/read.js';

import { jsonBytes, lastThatFit, MAX_RESULT_BYTES } from '../commands/result-size.js';
import type { Dependencies } from '../dependencies.js';
import { pendingInbound } from '../hand-back.js';

const MAX_EVICTED = 2_000;

/**
 * What waits for the resume of a conversation, oldest first, and, if asked for, what was evicted. Of what does not fit
 * into one answer the newest is given; `depth` counts all that waits.
 */
export async function processingPending(
  { dataSource, pendingQueueCap }: Pick<Dependencies, 'dataSource' | 'pendingQueueCap'>,
  { scope, include_evicted = false }: ProcessingPendingParams & { scope: ConversationScope },
): Promise<ProcessingPendingResult> {
  const pending = await readOnce(dataSource, (reader) =>
    findPending(reader, {
      conversationId: conversationId(scope),
      includeEvicted: include_evicted,
      maxBytes: MAX_RESULT_BYTES,
      maxEvicted: MAX_EVICTED,
    }),
  );
  const inbounds = lastThatFit((pending?.waiting ?? []).map(pendingInbound));
  const room = MAX_RESULT_BYTES - inbounds.reduce((bytes, inbound) => bytes + jsonBytes(inbound), 0);
  const evicted = (pending?.evicted ?? []).map((inbound) => ({
    inbound: pendingInbound(inbound),
    evicted_at_ms: inbound.evictedAtMs,
  }));
  return {
    depth: pending?.depth ?? 0,
    cap: pendingQueueCap,
    inbounds,
    ...(include_evicted ? { evicted: lastThatFit(evicted, room) } : {}),
  };
}
