import type { Transaction } from '../../transaction.js';
import { CUTOFF_MS, type Removal, type Removed } from './removal.js';

const CONVERSATIONS_AT_ONCE = 200;

/** Conversations that have something in `buffered_inbounds`, from a place on, found by the table's key. */
const PAGE = `
  page AS (
    (SELECT conversation_id, 1 AS place FROM buffered_inbounds
      WHERE conversation_id > $2::uuid ORDER BY conversation_id LIMIT 1)
    UNION ALL
    SELECT next.conversation_id, page.place + 1 FROM page CROSS JOIN LATERAL (
      SELECT conversation_id FROM buffered_inbounds
      WHERE conversation_id > page.conversation_id ORDER BY conversation_id LIMIT 1
    ) AS next
    WHERE page.place < ${CONVERSATIONS_AT_ONCE}
  )`;

const FIND_PAGE = {
  name: 'find-buffers',
  text: `
    WITH RECURSIVE ${PAGE}
    SELECT count(*)::int AS conversations, (array_agg(conversation_id ORDER BY place DESC))[1] AS last
    FROM page WHERE $1::int IS NOT NULL`,
};

/** An inbound was evicted when the first one after it arrived that moved the head past it. */
const REMOVE_OLD_EVICTED = {
  name: 'remove-old-evicted',
  text: `
    WITH RECURSIVE ${PAGE}, old AS MATERIALIZED (
      SELECT evicted.* FROM page JOIN conversations AS c USING (conversation_id)
      CROSS JOIN LATERAL (
        SELECT conversation_id, position FROM buffered_inbounds AS b
        WHERE conversation_id = c.conversation_id AND position < c.buffer_head AND NOT taken_back AND NOT drained
          AND buffered_at_ms < ${CUTOFF_MS} AND coalesce((
            SELECT by.buffered_at_ms FROM buffered_inbounds AS by
            WHERE by.conversation_id = b.conversation_id AND by.position >= b.position AND by.evicts_below > b.position
            ORDER BY by.position LIMIT 1
          ), 0) < ${CUTOFF_MS}
        ORDER BY position LIMIT $3
        FOR UPDATE SKIP LOCKED
      ) AS evicted
      LIMIT $3
    )
    DELETE FROM buffered_inbounds AS b USING old
    WHERE b.conversation_id = old.conversation_id AND b.position = old.position`,
};

/** What has evicted others was kept, empty, to tell when; it goes after the last of them. */
const REMOVE_EMPTIED = {
  name: 'remove-emptied-inbounds',
  text: `
    WITH RECURSIVE ${PAGE}, old AS MATERIALIZED (
      SELECT emptied.* FROM page CROSS JOIN LATERAL (
        SELECT conversation_id, position FROM buffered_inbounds AS b
        WHERE conversation_id = page.conversation_id AND drained AND buffered_at_ms < ${CUTOFF_MS} AND NOT EXISTS (
          SELECT FROM buffered_inbounds AS evicted
          WHERE evicted.conversation_id = b.conversation_id AND evicted.position < b.evicts_below
            AND NOT evicted.taken_back AND NOT evicted.drained
        )
        ORDER BY position LIMIT $3
        FOR UPDATE SKIP LOCKED
      ) AS emptied
      LIMIT $3
    )
    DELETE FROM buffered_inbounds AS b USING old
    WHERE b.conversation_id = old.conversation_id AND b.position = old.position`,
};

/** Removes the texts of inbounds that were evicted long ago; that they were received is remembered all the same. */
export async function removeOldEvicted(tx: Transaction, { days, limit, place }: Removal): Promise<Removed> {
  const [page] = await tx.rows<{ conversations: number; last: string }>(FIND_PAGE, [days, place.id]);
  const evicted = await tx.affected(REMOVE_OLD_EVICTED, [days, place.id, limit]);
  if (evicted === limit) return { rows: evicted, next: place };
  const emptied = await tx.affected(REMOVE_EMPTIED, [days, place.id, limit]);
  const rows = evicted + emptied;
  if (emptied === limit) return { rows, next: place };
  if (page === undefined || page.conversations < CONVERSATIONS_AT_ONCE) return { rows, next: undefined };
  return { rows, next: { id: page.last, agentId: '' } };
}
