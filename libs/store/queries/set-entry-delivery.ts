import type { EntryDelivery } from '#contracts/entry.js';

import type { Transaction } from '../transaction.js';

/** A line of a transcript. */
export interface EntryPlace {
  sessionId: string;
  agentId: string;
  seq: number;
}

const SET_ENTRY_DELIVERY = {
  name: 'set-entry-delivery',
  text: `UPDATE entries SET delivery = $4 WHERE session_id = $1 AND agent_id = $2 AND seq = $3`,
};

/** Marks a line that was sent to the contact with what became of it. */
export async function setEntryDelivery(
  tx: Transaction,
  { sessionId, agentId, seq }: EntryPlace,
  delivery: EntryDelivery,
): Promise<void> {
  await tx.rows(SET_ENTRY_DELIVERY, [sessionId, agentId, seq, delivery]);
}
