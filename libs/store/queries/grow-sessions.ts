/** A session that lines are appended to. */
export interface GrowingSession {
  sessionId: string;
  agentId: string;
  lines: number;
  /** Its index among the sessions of the statement. */
  place: number;
}

/** Where a line goes: the index among those that its session gets. */
export interface LinePlace {
  session: GrowingSession;
  index: number;
}

/**
 * Makes room for lines and yields `grown (place, session_id, agent_id, next_seq)`. Parameters: $1 session ids, $2
 * agents, $3 numbers of lines. An update locks a row that exists for less than an insert with a conflict does.
 */
export const GROWN_SESSIONS = `
    growth AS (
      SELECT session_id, agent_id, lines, (position - 1)::int AS place
      FROM unnest($1::uuid[], $2::text[], $3::bigint[]) WITH ORDINALITY AS g (session_id, agent_id, lines, position)
    ), known AS (
      UPDATE sessions AS s SET next_seq = s.next_seq + growth.lines
      FROM growth WHERE s.session_id = growth.session_id AND s.agent_id = growth.agent_id
      RETURNING growth.place, s.session_id, s.agent_id, s.next_seq
    ), created AS (
      INSERT INTO sessions AS s (session_id, agent_id, next_seq)
      SELECT session_id, agent_id, lines FROM growth WHERE place NOT IN (SELECT place FROM known)
      ON CONFLICT (session_id, agent_id) DO UPDATE SET next_seq = s.next_seq + excluded.next_seq
      RETURNING s.session_id, s.agent_id, s.next_seq
    ), grown AS (
      SELECT * FROM known
      UNION ALL
      SELECT growth.place, created.* FROM created JOIN growth USING (session_id, agent_id)
    )`;

/** Counts the lines of each session, and gives each line its place, in the order given. */
export function growth(lines: readonly { sessionId: string; agentId: string }[]): {
  sessions: GrowingSession[];
  places: LinePlace[];
} {
  const byKey = new Map<string, GrowingSession>();
  const places = lines.map(({ sessionId, agentId }) => {
    const key = sessionId + agentId;
    let session = byKey.get(key);
    if (session === undefined) {
      session = { sessionId, agentId, lines: 0, place: 0 };
      byKey.set(key, session);
    }
    return { session, index: session.lines++ };
  });
  // In key order, so that two transactions that write to the same sessions cannot wait for each other.
  const sessions = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, session]) => session);
  sessions.forEach((session, place) => (session.place = place));
  return { sessions, places };
}
