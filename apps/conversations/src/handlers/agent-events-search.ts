import type { AgentEventsSearchParams, AgentEventsSearchResult } from '#contracts/agent-events-search.js';
import { AGENT_EVENTS_SEARCH_LIMIT } from '#contracts/limits.js';
import { searchQuery } from '#domain/transcript/search-query.js';
import { searchLines } from '#store/queries/search-lines.js';
import { withTransaction } from '#store/transaction.js';

import { firstThatFit } from '../commands/result-size.js';
import type { Dependencies } from '../dependencies.js';

const SNIPPET_CHARACTERS = 300;
/** A search that would take longer is answered `unavailable`: its words are in too many lines, or excluded from too few. */
const SEARCH_TIMEOUT_MS = 4_000;

/** Full-text search in the transcripts of an agent, newest first. Any query is answered; most match nothing. */
export async function agentEventsSearch(
  { dataSource }: Pick<Dependencies, 'dataSource'>,
  { agent_id, query, limit = AGENT_EVENTS_SEARCH_LIMIT.fallback }: AgentEventsSearchParams,
): Promise<AgentEventsSearchResult> {
  const search = {
    agentId: agent_id,
    query: searchQuery(query),
    limit,
    snippetCharacters: SNIPPET_CHARACTERS,
    timeoutMs: SEARCH_TIMEOUT_MS,
  };
  const lines = await withTransaction(dataSource, (tx) => searchLines(tx, search));
  const hits = lines.map((line) => ({
    session_id: line.sessionId,
    timestamp_ms: line.sentAtMs,
    role: line.role,
    source_plugin: line.sourcePlugin,
    snippet: line.snippet,
  }));
  return { hits: firstThatFit(hits) };
}
