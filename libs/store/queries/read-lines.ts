import type { Reader } from '../read.js';
import { STAMPED_LINE_COLUMNS, toStampedLine, type StampedLine, type StampedLineRow } from '../stamped-line.js';

export interface LinesOfSession {
  agentId: string;
  sessionId: string;
  /** Exclusive. */
  afterSeq: number;
  limit: number;
  /** Lines after this many bytes of text are left for the next page. The first one comes whatever its size. */
  maxBytes: number;
}

const READ_LINES = {
  name: 'read-lines',
  text: `
    SELECT ${STAMPED_LINE_COLUMNS}
    FROM (
      SELECT *, sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) AS bytes_before
      FROM (
        SELECT ${STAMPED_LINE_COLUMNS}
        FROM entries
        WHERE session_id = $1 AND agent_id = $2 AND seq > $3
        ORDER BY seq
        LIMIT $4
      ) AS page
    ) AS sized
    WHERE bytes_before < $5
    ORDER BY seq`,
};

/** Lines of one transcript, oldest first. */
export async function readLines(reader: Reader, page: LinesOfSession): Promise<StampedLine[]> {
  const { agentId, sessionId, afterSeq, limit, maxBytes } = page;
  const rows = await reader.rows<StampedLineRow>(READ_LINES, [sessionId, agentId, afterSeq, limit, maxBytes]);
  return rows.map(toStampedLine);
}
