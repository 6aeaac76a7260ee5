import { STAMPED_LINE_COLUMNS, type StampedLine, type StampedLineRow, toStampedLine } from '../stamped-line.js';
import type { Transaction } from '../transaction.js';

/** A stamped line of a conversation, whole. */
export interface StampedEntry extends StampedLine {
  /** JSON text of an array. */
  attachments: string | null;
}

const ENTRIES_SINCE = {
  name: 'entries-since',
  text: `
    SELECT ${STAMPED_LINE_COLUMNS}, attachments, arrival
    FROM entries WHERE conversation_id = $1 AND arrival >= $2 ORDER BY arrival`,
};

/** All that was stamped in a conversation from a number of arrival on, in order of arrival. */
export async function entriesSince(
  tx: Transaction,
  conversationId: string,
  arrival: number,
): Promise<(StampedEntry & { arrival: number })[]> {
  const rows = await tx.rows<StampedLineRow & { attachments: string | null; arrival: string }>(ENTRIES_SINCE, [
    conversationId,
    arrival,
  ]);
  return rows.map((row) => ({
    ...toStampedLine(row),
    attachments: row.attachments,
    arrival: Number(row.arrival),
  }));
}
