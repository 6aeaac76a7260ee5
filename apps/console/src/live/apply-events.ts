import type { QueryClient } from '@tanstack/react-query';

import type { AgentEvent, TranscriptAppendedEvent } from '#contracts/agent-event.js';

import { applyToInbox, isUnknown } from './apply-to-inbox.js';
import type { Inbox } from './inbox.js';
import { appendLine, type Line } from './lines.js';
import { queryKeys } from './query-keys.js';
import { staleQueries } from './stale-queries.js';

/** What has to be read after a batch of events, besides what the cache does by itself. */
export interface FollowUp {
  /** A conversation is not known yet. */
  readNewest: boolean;
  /** Something was paused or a buffer has changed. */
  readHeld: boolean;
}

/** Brings the cache up to what the events tell. */
export function applyEvents(cache: QueryClient, events: readonly AgentEvent[]): FollowUp {
  const inbox = cache.getQueryData<Inbox>(queryKeys.inbox);
  if (inbox !== undefined) cache.setQueryData<Inbox>(queryKeys.inbox, events.reduce(applyToInbox, inbox));
  for (const event of events) if (event.kind === 'transcript_appended') applyLine(cache, event);
  const stale = new Map(events.flatMap(staleQueries).map((key) => [JSON.stringify(key), key]));
  for (const queryKey of stale.values()) void cache.invalidateQueries({ queryKey });
  return {
    readNewest: inbox !== undefined && events.some((event) => isUnknown(inbox, event)),
    readHeld: events.some(changesBuffers),
  };
}

function applyLine(cache: QueryClient, line: TranscriptAppendedEvent): void {
  const queryKey = queryKeys.transcript(line.agent_id, line.session_id);
  const lines = cache.getQueryData<readonly Line[]>(queryKey);
  if (lines === undefined) return;
  const appended = appendLine(lines, line);
  if (appended === undefined) void cache.invalidateQueries({ queryKey });
  else cache.setQueryData(queryKey, appended);
}

function changesBuffers(event: AgentEvent): boolean {
  if (event.kind === 'pending_inbounds_dropped') return true;
  return event.kind === 'processing_state_changed' && event.new_state.state === 'paused_by_operator';
}
