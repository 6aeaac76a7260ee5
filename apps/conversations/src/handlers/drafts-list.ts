import type { Draft } from '#contracts/draft.js';
import type { DraftsListParams, DraftsListResult } from '#contracts/drafts-list.js';
import { LIST_LIMIT } from '#contracts/limits.js';
import { isRouted } from '#contracts/processing-scope.js';
import { conversationId } from '#domain/conversation/conversation-id.js';
import type { DraftOfConversation } from '#store/draft.js';
import { listDrafts } from '#store/queries/list-drafts.js';
import { readOnce } from '#store/read.js';

import { firstThatFit, MAX_RESULT_BYTES } from '../commands/result-size.js';
import { scopeOf } from '../control-state.js';
import type { Dependencies } from '../dependencies.js';

/** The newest drafts of a conversation or of all, newest first, as many as fit one answer. */
export async function draftsList(
  { dataSource }: Pick<Dependencies, 'dataSource'>,
  { scope }: DraftsListParams,
): Promise<DraftsListResult> {
  const drafts = await readOnce(dataSource, (reader) =>
    listDrafts(reader, {
      conversationId: scope !== undefined && isRouted(scope) ? conversationId(scope) : undefined,
      limit: LIST_LIMIT.maximum,
      maxBytes: MAX_RESULT_BYTES,
    }),
  );
  return { drafts: firstThatFit(drafts.map(toDraft)) };
}

function toDraft(draft: DraftOfConversation): Draft {
  return {
    draft_id: draft.draftId,
    scope: scopeOf(draft),
    turn_id: draft.turnId,
    action: draft.action,
    reason: draft.reason,
    status: draft.status,
    created_at_ms: draft.createdAtMs,
  };
}
