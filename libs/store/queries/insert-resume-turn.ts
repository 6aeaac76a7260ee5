import type { Transaction } from '../transaction.js';

/** The turn of a resume, to be found again when the agent answers it. */
export interface ResumeTurnRow {
  turnId: string;
  conversationId: string;
  epoch: number;
  /** Of its last inbound. */
  lastArrival: number;
}

const INSERT_RESUME_TURN = {
  name: 'insert-resume-turn',
  text: `INSERT INTO resume_turns (turn_id, conversation_id, epoch, last_arrival) VALUES ($1, $2, $3, $4)`,
};

export async function insertResumeTurn(tx: Transaction, turn: ResumeTurnRow): Promise<void> {
  await tx.rows(INSERT_RESUME_TURN, [turn.turnId, turn.conversationId, turn.epoch, turn.lastArrival]);
}
