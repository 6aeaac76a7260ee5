import type { Transaction } from '../transaction.js';

export interface FoundLine {
  sessionId: string;
  sentAtMs: number;
  role: 'user' | 'assistant' | 'tool' | 'system';
  sourcePlugin: string;
  /** Plain text from around the match, with nothing added to it. */
  snippet: string;
}

interface Row {
  session_id: string;
  sent_at_ms: string;
  role: FoundLine['role'];
  source_plugin: string;
  snippet: string;
}

export interface LineSearch {
  agentId: string;
  /** Words, "phrases", -exclusions and `or`; as `searchQuery` made it, so that its cost has a bound. */
  query: string;
  limit: number;
  snippetCharacters: number;
  /** The search fails if it takes longer. */
  timeoutMs: number;
}

/** How best to search depends on how frequent the words are, so that a plan for any words would often be a bad one. */
const SEARCH_SETTINGS = {
  name: 'search-settings',
  text: `SELECT set_config('statement_timeout', $1, true), set_config('plan_cache_mode', 'force_custom_plan', true)`,
};

const SEARCH_LINES = {
  name: 'search-lines',
  text: `
    SELECT session_id, sent_at_ms, role, source_plugin,
      left(ts_headline('simple', body, websearch_to_tsquery('simple', $2),
        'StartSel="", StopSel="", MaxWords=30, MinWords=15, ShortWord=0'), $4) AS snippet
    FROM (
      SELECT session_id, sent_at_ms, arrival, event_id, role, source_plugin, left(body, 32768) AS body
      FROM entries
      WHERE agent_id = $1 AND to_tsvector('simple', left(body, 32768)) @@ websearch_to_tsquery('simple', $2)
      ORDER BY sent_at_ms DESC, arrival DESC, event_id DESC
      LIMIT $3
    ) AS found
    ORDER BY sent_at_ms DESC, arrival DESC, event_id DESC`,
};

/** The lines of an agent's transcripts that match, newest first. The settings hold to the end of the transaction. */
export async function searchLines(tx: Transaction, search: LineSearch): Promise<FoundLine[]> {
  const { agentId, query, limit, snippetCharacters, timeoutMs } = search;
  const [, rows] = await Promise.all([
    tx.rows(SEARCH_SETTINGS, [`${timeoutMs}ms`]),
    tx.rows<Row>(SEARCH_LINES, [agentId, query, limit, snippetCharacters]),
  ]);
  return rows.map((row) => ({
    sessionId: row.session_id,
    sentAtMs: Number(row.sent_at_ms),
    role: row.role,
    sourcePlugin: row.source_plugin,
    snippet: row.snippet,
  }));
}
