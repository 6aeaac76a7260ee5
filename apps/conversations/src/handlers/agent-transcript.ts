import type { AgentTranscriptParams, AgentTranscriptResult } from '#contracts/agent-transcript.js';
import { AGENT_TRANSCRIPT_LIMIT } from '#contracts/limits.js';
import { readEntries } from '#store/queries/read-entries.js';
import { readOnce } from '#store/read.js';

import { firstThatFit, MAX_RESULT_BYTES } from '../commands/result-size.js';
import type { Dependencies } from '../dependencies.js';
import { entryOf } from '../entry-of.js';

const BEFORE_THE_FIRST = -1;

/** The lines of one transcript, oldest first; a page that would be too large for one answer ends before the limit. */
export async function agentTranscript(
  { dataSource }: Pick<Dependencies, 'dataSource'>,
  { agent_id, session_id, since_seq, limit = AGENT_TRANSCRIPT_LIMIT.fallback }: AgentTranscriptParams,
): Promise<AgentTranscriptResult> {
  const lines = await readOnce(dataSource, (reader) =>
    readEntries(reader, {
      agentId: agent_id,
      sessionId: session_id,
      afterSeq: since_seq ?? BEFORE_THE_FIRST,
      limit: limit + 1,
      maxBytes: MAX_RESULT_BYTES,
    }),
  );
  const entries = firstThatFit(lines.slice(0, limit).map(entryOf));
  const last = entries.at(-1);
  return { entries, ...(last?.seq === undefined || entries.length === lines.length ? {} : { next_seq: last.seq }) };
}
