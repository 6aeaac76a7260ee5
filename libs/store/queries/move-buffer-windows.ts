import { bigints, uuids } from '../columns.js';
import type { Transaction } from '../transaction.js';

export interface BufferMove {
  conversationId: string;
  head: number;
  tail: number;
  evicted: number;
}

const MOVE_BUFFER_WINDOWS = {
  name: 'move-buffer-windows',
  text: `
    UPDATE conversations AS c
    SET buffer_head = m.head, buffer_tail = m.tail, dropped_total = c.dropped_total + m.evicted
    FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[]) AS m (conversation_id, head, tail, evicted)
    WHERE c.conversation_id = m.conversation_id`,
};

/** Moves the buffers of locked conversations. What falls below a head is evicted by that alone: no row is touched. */
export async function moveBufferWindows(tx: Transaction, moves: BufferMove[]): Promise<void> {
  if (moves.length === 0) return;
  await tx.rows(MOVE_BUFFER_WINDOWS, [
    uuids(moves, (each) => each.conversationId),
    bigints(moves, (each) => each.head),
    bigints(moves, (each) => each.tail),
    bigints(moves, (each) => each.evicted),
  ]);
}
