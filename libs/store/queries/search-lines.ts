import type { Reader } from '../read.js';

export interface FoundLine {
  sessionId: string;
  sentAtMs: number;
  role: 'user' | 'assistant' | 'tool' | 'system';
  sourcePlugin: string;
  /** Plain text from around the match. */
  snippet: string;
}

interface Row {
  session_id: string;
  sent_at_ms: string;
  role: FoundLine['role'];
  source_plugin: string;
  snippet: string;
}

const SEARCH_LINES = {
  name: 'search-lines',
  text: `
    SELECT found.session_id, found.sent_at_ms, found.role, found.source_plugin,
      left(ts_headline('simple', found.body, websearch_to_tsquery('simple', $2),
        'StartSel="", StopSel="", MaxWords=30, MinWords=15, ShortWord=0'), $4) AS snippet
    FROM (
      SELECT session_id, sent_at_ms, arrival, event_id, role, source_plugin, left(body, 32768) AS body
      FROM entries
      WHERE agent_id = $1 AND to_tsvector('simple', left(body, 32768)) @@ websearch_to_tsquery('simple', $2)
      ORDER BY sent_at_ms DESC, arrival DESC, event_id DESC
      LIMIT $3
    ) AS found
    ORDER BY found.sent_at_ms DESC, found.arrival DESC, found.event_id DESC`,
};

export interface LineSearch {
  agentId: string;
  /** Words, "phrases", -exclusions and `or`, as in a search engine; whatever else it holds is read as white space. */
  query: string;
  limit: number;
  /** Characters. */
  maxSnippet: number;
}

/** The lines of an agent's transcripts that match, newest first. */
export async function searchLines(reader: Reader, search: LineSearch): Promise<FoundLine[]> {
  const { agentId, query, limit, maxSnippet } = search;
  const rows = await reader.rows<Row>(SEARCH_LINES, [agentId, query, limit, maxSnippet]);
  return rows.map((row) => ({
    sessionId: row.session_id,
    sentAtMs: Number(row.sent_at_ms),
    role: row.role,
    sourcePlugin: row.source_plugin,
    snippet: row.snippet,
  }));
}
