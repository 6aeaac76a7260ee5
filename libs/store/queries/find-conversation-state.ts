import type { ConversationState } from '#domain/conversation/decide.js';

import { CONVERSATION_STATE_COLUMNS, toConversationState, type ConversationStateRow } from '../conversation-state.js';
import type { Reader } from '../read.js';

const FIND_CONVERSATION_STATE = {
  name: 'find-conversation-state',
  text: `SELECT ${CONVERSATION_STATE_COLUMNS} FROM conversations WHERE conversation_id = $1`,
};

/** The state of a conversation, without locking it; undefined if Holdline has never seen it. */
export async function findConversationState(
  reader: Reader,
  conversationId: string,
): Promise<ConversationState | undefined> {
  const [row] = await reader.rows<ConversationStateRow>(FIND_CONVERSATION_STATE, [conversationId]);
  return row && toConversationState(row);
}
