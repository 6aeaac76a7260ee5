import type { AgentEventsReadParams, AgentEventsReadResult } from '#contracts/agent-events-read.js';
import { AGENT_EVENTS_READ_LIMIT } from '#contracts/limits.js';
import { readLines } from '#store/queries/read-lines.js';
import { readOnce } from '#store/read.js';

import { firstThatFit, MAX_RESULT_BYTES } from '../commands/result-size.js';
import type { Dependencies } from '../dependencies.js';
import { transcriptAppended } from '../transcript-appended.js';

const BEFORE_THE_FIRST = -1;

/**
 * The lines of one transcript as events, oldest first. To read on, ask with the last `seq` as `since_seq` until the
 * answer is empty: a page that would be too large for one answer ends before the limit.
 */
export async function agentEventsRead(
  { dataSource }: Pick<Dependencies, 'dataSource'>,
  { agent_id, session_id, since_seq, limit = AGENT_EVENTS_READ_LIMIT.fallback }: AgentEventsReadParams,
): Promise<AgentEventsReadResult> {
  const lines = await readOnce(dataSource, (reader) =>
    readLines(reader, {
      agentId: agent_id,
      sessionId: session_id,
      afterSeq: since_seq ?? BEFORE_THE_FIRST,
      limit,
      maxBytes: MAX_RESULT_BYTES,
    }),
  );
  return { events: firstThatFit(lines.map((line) => transcriptAppended({ ...line, agentId: agent_id }, line.seq))) };
}
