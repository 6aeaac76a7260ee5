import type { AgentEvent } from '#contracts/agent-event.js';

import { keyOfScope } from '../conversation-key.js';
import { queryKeys } from './query-keys.js';

/** What has to be read again after an event, because the event does not tell all of it. */
export function staleQueries(event: AgentEvent): readonly (readonly unknown[])[] {
  switch (event.kind) {
    case 'processing_state_changed':
      return ofConversation(event.scope, (key) => [
        queryKeys.buffer(key),
        queryKeys.drafts(key),
        queryKeys.previews(key),
      ]);
    case 'pending_inbounds_dropped':
      return ofConversation(event.scope, (key) => [queryKeys.buffer(key), queryKeys.previews(key)]);
    case 'agent_reply_suppressed':
      return ofConversation(event.scope, (key) => [queryKeys.drafts(key)]);
    case 'outbound_failed':
      // The line that failed is somewhere in a transcript, which the event does not name.
      return ofConversation(event.scope, (key) => [queryKeys.previews(key), queryKeys.allTranscripts]);
    case 'escalation_requested':
    case 'escalation_resolved':
    case 'escalation_overdue':
      return [queryKeys.escalations];
    default:
      return [];
  }
}

function ofConversation(
  scope: Parameters<typeof keyOfScope>[0],
  keys: (key: string) => readonly (readonly unknown[])[],
): readonly (readonly unknown[])[] {
  const key = keyOfScope(scope);
  return key === undefined ? [] : keys(key);
}
