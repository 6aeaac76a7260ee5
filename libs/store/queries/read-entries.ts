import type { Reader } from '../read.js';
import { STAMPED_LINE_COLUMNS, type StampedLineRow, toStampedLine } from '../stamped-line.js';
import type { StampedEntry } from './entries-since.js';
import type { LinesOfSession } from './read-lines.js';

const SIZE = 'octet_length(body) + coalesce(octet_length(attachments), 0)';

const READ_ENTRIES = {
  name: 'read-entries',
  text: `
    SELECT ${STAMPED_LINE_COLUMNS}, attachments
    FROM (
      SELECT *, sum(${SIZE}) OVER (ORDER BY seq) - (${SIZE}) AS bytes_before
      FROM (
        SELECT ${STAMPED_LINE_COLUMNS}, attachments
        FROM entries
        WHERE session_id = $1 AND agent_id = $2 AND seq > $3
        ORDER BY seq
        LIMIT $4
      ) AS page
    ) AS sized
    WHERE bytes_before < $5
    ORDER BY seq`,
};

/** Lines of one transcript with their attachments, oldest first. */
export async function readEntries(reader: Reader, page: LinesOfSession): Promise<StampedEntry[]> {
  const { agentId, sessionId, afterSeq, limit, maxBytes } = page;
  const rows = await reader.rows<StampedLineRow & { attachments: string | null }>(READ_ENTRIES, [
    sessionId,
    agentId,
    afterSeq,
    limit,
    maxBytes,
  ]);
  return rows.map((row) => ({ ...toStampedLine(row), attachments: row.attachments }));
}
