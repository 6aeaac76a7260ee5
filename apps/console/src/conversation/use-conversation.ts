import { keepPreviousData, useQuery } from '@tanstack/react-query';

import type { Conversation } from '#contracts/conversations-list.js';
import { AGENT_EVENTS_READ_LIMIT } from '#contracts/limits.js';

import type { RpcClient } from '../api/rpc-client.js';
import { appendLine, type Line } from '../live/lines.js';
import { useLive } from '../live/live-context.js';
import { queryKeys } from '../live/query-keys.js';
import { useOperator } from '../session/operator-context.js';

/** No event tells that a message went into the buffer of a held conversation. */
const BUFFER_MS = 2_000;

/** All lines of the conversation's session, kept up to date by events. */
export function useTranscript({ scope: { agent_id }, session_id }: Conversation) {
  const { client } = useOperator();
  const { feed } = useLive();
  return useQuery<readonly Line[]>({
    queryKey: queryKeys.transcript(agent_id, session_id ?? ''),
    enabled: session_id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      const { result, meanwhile } = await feed.during(() => readLines(client, agent_id, session_id ?? '', signal));
      return meanwhile.reduce<readonly Line[]>((lines, event) => {
        const isOurs = event.kind === 'transcript_appended' && event.session_id === session_id;
        return isOurs && event.agent_id === agent_id ? (appendLine(lines, event) ?? lines) : lines;
      }, result);
    },
  });
}

/** What waits while the conversation is held, and what the full buffer pushed out. */
export function useBuffer(key: string, { scope, state }: Conversation) {
  const { client } = useOperator();
  const { status } = useLive();
  const isHeld = state.state === 'paused_by_operator';
  return useQuery({
    queryKey: queryKeys.buffer(key),
    enabled: isHeld,
    refetchInterval: isHeld && status.kind === 'live' ? BUFFER_MS : false,
    queryFn: ({ signal }) => client.call('nexo/admin/processing/pending', { scope, include_evicted: true }, signal),
  });
}

/** What the agent wrote and Holdline did not send. */
export function useDrafts(key: string, { scope }: Conversation) {
  const { client } = useOperator();
  return useQuery({
    queryKey: queryKeys.drafts(key),
    queryFn: ({ signal }) => client.call('nexo/admin/drafts/list', { scope }, signal),
  });
}

/** What a hand-back with this summary would give the agent now. */
export function usePreview(key: string, { scope, state, session_id }: Conversation, summary: string) {
  const { client } = useOperator();
  const told = summary.trim() === '' || session_id === undefined ? {} : { session_id, summary_for_agent: summary };
  return useQuery({
    queryKey: queryKeys.preview(key, session_id, summary.trim()),
    enabled: state.state === 'paused_by_operator',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.call('nexo/admin/processing/preview', { scope, ...told }, signal),
  });
}

async function readLines(client: RpcClient, agentId: string, sessionId: string, signal: AbortSignal): Promise<Line[]> {
  const lines: Line[] = [];
  for (;;) {
    const since = lines.at(-1)?.seq;
    const params = { agent_id: agentId, session_id: sessionId, limit: AGENT_EVENTS_READ_LIMIT.maximum };
    const page = { ...params, ...(since === undefined ? {} : { since_seq: since }) };
    const { events } = await client.call('nexo/admin/agent_events/read', page, signal);
    lines.push(...events);
    if (events.length === 0) return lines;
  }
}
