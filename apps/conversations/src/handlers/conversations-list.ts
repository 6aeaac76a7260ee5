import type { Conversation, ConversationsListParams, ConversationsListResult } from '#contracts/conversations-list.js';
import { LIST_LIMIT, MAX_LAST_ENTRY_CHARACTERS } from '#contracts/limits.js';
import { type ListedConversation, listConversations } from '#store/queries/list-conversations.js';
import { readOnce } from '#store/read.js';

import { decodeActivityCursor, encodeActivityCursor } from '../commands/activity-cursor.js';
import { firstThatFit, MAX_RESULT_BYTES } from '../commands/result-size.js';
import { controlState, scopeOf } from '../control-state.js';
import type { Dependencies } from '../dependencies.js';

/** The operator's inbox, last active first. A page that would be too large for one answer ends earlier. */
export async function conversationsList(
  { dataSource }: Pick<Dependencies, 'dataSource'>,
  params: ConversationsListParams,
): Promise<ConversationsListResult> {
  const page = {
    agentId: params.agent_id,
    state: params.state,
    after: params.cursor === undefined ? undefined : decodeActivityCursor(params.cursor),
    limit: params.limit ?? LIST_LIMIT.fallback,
    maxReasonBytes: MAX_RESULT_BYTES,
    lineCharacters: MAX_LAST_ENTRY_CHARACTERS,
  };
  const { conversations: stored, more } = await readOnce(dataSource, (reader) => listConversations(reader, page));
  const conversations = firstThatFit(stored.map(toConversation));
  const last = stored[conversations.length - 1];
  const hasNext = more || conversations.length < stored.length;
  return { conversations, ...(hasNext && last !== undefined ? { next_cursor: encodeActivityCursor(last) } : {}) };
}

function toConversation(stored: ListedConversation): Conversation {
  const scope = scopeOf(stored);
  const { escalation, lastLine } = stored;
  return {
    scope,
    state: controlState(stored.state, scope),
    epoch: stored.state.epoch,
    session_id: stored.sessionId,
    pending_depth: stored.pendingDepth,
    dropped_total: stored.droppedTotal,
    ...(lastLine === undefined
      ? {}
      : { last_entry: { role: lastLine.role, body: lastLine.body, sent_at_ms: lastLine.sentAtMs } }),
    last_activity_ms: stored.lastActivityMs,
    ...(escalation === undefined
      ? {}
      : {
          escalation: {
            urgency: escalation.urgency,
            reason: escalation.reason,
            requested_at_ms: escalation.requestedAtMs,
          },
        }),
  };
}
