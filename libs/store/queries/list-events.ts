import type { Reader } from '../read.js';
import type { NewestOfAgent } from './list-lines.js';

export interface LoggedEvent {
  atMs: number;
  /** The event as JSON. */
  payload: string;
}

const LIST_EVENTS = {
  name: 'list-events',
  text: `
    SELECT at_ms, payload
    FROM (
      SELECT *, sum(octet_length(payload)) OVER (ORDER BY at_ms DESC, event_id DESC) - octet_length(payload) AS bytes_before
      FROM (
        SELECT event_id, at_ms, payload
        FROM events
        WHERE agent_id = $1 AND at_ms >= $2 AND ($3::text IS NULL OR kind = $3)
        ORDER BY at_ms DESC, event_id DESC
        LIMIT $4
      ) AS page
    ) AS sized
    WHERE bytes_before < $5
    ORDER BY at_ms DESC, event_id DESC`,
};

/** The events of an agent, newest first; of one kind if it is given. Lines of transcripts are not among them. */
export async function listEvents(
  reader: Reader,
  page: NewestOfAgent & { kind: string | undefined },
): Promise<LoggedEvent[]> {
  const rows = await reader.rows<{ at_ms: string; payload: string }>(LIST_EVENTS, [
    page.agentId,
    page.sinceMs,
    page.kind ?? null,
    page.limit,
    page.maxBytes,
  ]);
  return rows.map((row) => ({ atMs: Number(row.at_ms), payload: row.payload }));
}
