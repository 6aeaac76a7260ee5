import { bigints, uuids } from '../columns.js';
import type { Transaction } from '../transaction.js';

/** Positions from `fromPosition` up to `belowPosition` (exclusive) of one conversation's buffer. */
export interface EvictedRange {
  conversationId: string;
  fromPosition: number;
  belowPosition: number;
}

const FIND_EVICTED_MESSAGE_IDS = {
  name: 'find-evicted-message-ids',
  text: `
    SELECT b.conversation_id, array_agg(b.message_id ORDER BY b.position) AS message_ids
    FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS r (conversation_id, from_position, below_position)
    JOIN buffered_inbounds AS b ON b.conversation_id = r.conversation_id
      AND b.position >= r.from_position AND b.position < r.below_position
    WHERE b.message_id IS NOT NULL
    GROUP BY b.conversation_id`,
};

/** The message ids, oldest first, of what was evicted; conversations whose inbounds had none are missing. */
export async function findEvictedMessageIds(tx: Transaction, ranges: EvictedRange[]): Promise<Map<string, string[]>> {
  if (ranges.length === 0) return new Map();
  const rows = await tx.rows<{ conversation_id: string; message_ids: string[] }>(FIND_EVICTED_MESSAGE_IDS, [
    uuids(ranges, (each) => each.conversationId),
    bigints(ranges, (each) => each.fromPosition),
    bigints(ranges, (each) => each.belowPosition),
  ]);
  return new Map(rows.map((row) => [row.conversation_id, row.message_ids]));
}
