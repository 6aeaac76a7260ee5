import type { AgentEvent } from '#contracts/agent-event.js';
import type { AgentEventsListParams, AgentEventsListResult } from '#contracts/agent-events-list.js';
import { AGENT_EVENTS_LIST_LIMIT } from '#contracts/limits.js';
import { listEvents } from '#store/queries/list-events.js';
import { listLines } from '#store/queries/list-lines.js';
import { readOnce } from '#store/read.js';

import { firstThatFit, MAX_RESULT_BYTES } from '../commands/result-size.js';
import type { Dependencies } from '../dependencies.js';
import { transcriptAppended } from '../transcript-appended.js';

/**
 * The events of an agent, newest first, as the firehose gave them. The lines of its transcripts are events too and are
 * kept as lines only. `since_ms` is inclusive; a list that would be too large for one answer ends earlier.
 */
export async function agentEventsList(
  { dataSource }: Pick<Dependencies, 'dataSource'>,
  { agent_id, kind, since_ms = 0, limit = AGENT_EVENTS_LIST_LIMIT.fallback }: AgentEventsListParams,
): Promise<AgentEventsListResult> {
  const page = { agentId: agent_id, sinceMs: since_ms, limit, maxBytes: MAX_RESULT_BYTES };
  const [lines, logged] = await readOnce(dataSource, (reader) =>
    Promise.all([
      kind === undefined || kind === 'transcript_appended' ? listLines(reader, page) : [],
      kind === 'transcript_appended' ? [] : listEvents(reader, { ...page, kind }),
    ]),
  );
  const events = [
    ...lines.map((line) => ({
      atMs: line.sentAtMs,
      event: transcriptAppended({ ...line, agentId: agent_id }, line.seq),
    })),
    ...logged.map(({ atMs, payload }) => ({ atMs, event: JSON.parse(payload) as AgentEvent })),
  ];
  const newest = events.sort((a, b) => b.atMs - a.atMs).slice(0, limit);
  return { events: firstThatFit(newest.map(({ event }) => event)) };
}
