import type { Transaction } from '../transaction.js';

/** Who answered: a reply of the agent answers up to the last inbound of its turn, one of an operator all before it. */
export interface Answer {
  by: 'agent' | 'operator';
  /** The arrival of the turn's last inbound, or the number that the operator's reply has taken for itself. */
  arrival: number;
}

const MARK_ANSWERED = {
  name: 'mark-answered',
  text: `
    UPDATE conversations
    SET answered_arrival = greatest(answered_arrival, $2),
      agent_answered_arrival = CASE $3 WHEN 'agent' THEN greatest(agent_answered_arrival, $2)
        ELSE agent_answered_arrival END,
      operator_answered_arrival = CASE $3 WHEN 'operator' THEN greatest(operator_answered_arrival, $2)
        ELSE operator_answered_arrival END
    WHERE conversation_id = $1`,
};

/** Marks what arrived up to `arrival` in a locked conversation as answered. What is answered stays so. */
export async function markAnswered(tx: Transaction, conversationId: string, { by, arrival }: Answer): Promise<void> {
  await tx.rows(MARK_ANSWERED, [conversationId, arrival, by]);
}
