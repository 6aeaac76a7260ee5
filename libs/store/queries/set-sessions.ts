import { uuids } from '../columns.js';
import type { Transaction } from '../transaction.js';

const SET_SESSIONS = {
  name: 'set-sessions',
  text: `
    UPDATE conversations AS c SET session_id = n.session_id
    FROM unnest($1::uuid[], $2::uuid[]) AS n (conversation_id, session_id)
    WHERE c.conversation_id = n.conversation_id`,
};

/** Makes another session the session of each of these locked conversations. */
export async function setSessions(
  tx: Transaction,
  sessions: { conversationId: string; sessionId: string }[],
): Promise<void> {
  if (sessions.length === 0) return;
  await tx.rows(SET_SESSIONS, [
    uuids(sessions, (each) => each.conversationId),
    uuids(sessions, (each) => each.sessionId),
  ]);
}
