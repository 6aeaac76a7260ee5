import type { Reader } from '../read.js';
import { STAMPED_LINE_COLUMNS, toStampedLine, type StampedLine, type StampedLineRow } from '../stamped-line.js';

export interface NewestOfAgent {
  agentId: string;
  /** Inclusive. */
  sinceMs: number;
  limit: number;
  /** Rows after this many bytes of text are left out. The first one comes whatever its size. */
  maxBytes: number;
}

const LIST_LINES = {
  name: 'list-lines',
  text: `
    SELECT ${STAMPED_LINE_COLUMNS}
    FROM (
      SELECT *, row_number() OVER newest AS place, sum(octet_length(body)) OVER newest - octet_length(body) AS bytes_before
      FROM (
        SELECT ${STAMPED_LINE_COLUMNS}, arrival
        FROM entries
        WHERE agent_id = $1 AND sent_at_ms >= $2
        ORDER BY sent_at_ms DESC, arrival DESC, event_id DESC
        LIMIT $3
      ) AS page
      WINDOW newest AS (ORDER BY sent_at_ms DESC, arrival DESC, event_id DESC)
    ) AS sized
    WHERE bytes_before < $4
    ORDER BY place`,
};

/** The lines of all transcripts of an agent, newest first by their own time. */
export async function listLines(reader: Reader, page: NewestOfAgent): Promise<StampedLine[]> {
  const rows = await reader.rows<StampedLineRow>(LIST_LINES, [page.agentId, page.sinceMs, page.limit, page.maxBytes]);
  return rows.map(toStampedLine);
}
