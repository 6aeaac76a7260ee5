import type { KnownTurn } from '#domain/conversation/turn-standing.js';

import type { Transaction } from '../transaction.js';

interface Row {
  conversation_id: string;
  epoch: string | null;
  last_arrival: string;
  session_id: string | null;
}

/** A turn, and where it belongs. */
export interface FoundTurn extends KnownTurn {
  conversationId: string;
  /** Where its inbound was stamped; undefined for the turn of a resume. */
  sessionId: string | undefined;
}

/** The turn of an inbound has the inbound's id; that of a resume has a row of its own. */
const FIND_TURN = {
  name: 'find-turn',
  text: `
    SELECT conversation_id, epoch, last_arrival, NULL::uuid AS session_id FROM resume_turns WHERE turn_id = $1
    UNION ALL
    SELECT conversation_id, NULL, arrival, session_id FROM inbounds WHERE inbound_id = $1 AND entry_seq IS NOT NULL`,
};

/** A turn by its id; undefined if there is none. */
export async function findTurn(tx: Transaction, turnId: string): Promise<FoundTurn | undefined> {
  const [row] = await tx.rows<Row>(FIND_TURN, [turnId]);
  return (
    row && {
      conversationId: row.conversation_id,
      sessionId: row.session_id ?? undefined,
      resumeEpoch: row.epoch === null ? undefined : Number(row.epoch),
      lastArrival: Number(row.last_arrival),
    }
  );
}
