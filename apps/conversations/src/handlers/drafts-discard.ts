import { conflict, notFound } from '#contracts/errors.js';
import type { DraftsDiscardParams, DraftsDiscardResult } from '#contracts/drafts-discard.js';
import { findDraft, lockDraft } from '#store/queries/find-draft.js';
import { lockConversation } from '#store/queries/lock-conversation.js';
import { closeDraft } from '#store/queries/update-draft.js';
import { withTransaction } from '#store/transaction.js';

import type { CommandContext } from '../commands/command-context.js';
import { scopeOf } from '../control-state.js';
import type { Dependencies } from '../dependencies.js';
import { redactedAction } from '../drafts/redacted-action.js';

/**
 * Puts a draft away for good. Its text is kept redacted.
 * @throws RpcError `not_found: unknown_draft`; `conflict: draft_closed` if it was sent or discarded before
 */
export function draftsDiscard(
  { dataSource, redactor }: Dependencies,
  { draft_id: draftId }: DraftsDiscardParams,
  command: CommandContext,
): Promise<DraftsDiscardResult> {
  return withTransaction(dataSource, async (tx) => {
    const found = await findDraft(tx, draftId);
    if (found !== undefined) await lockConversation(tx, found.conversationId);
    const draft = await lockDraft(tx, draftId);
    if (draft === undefined) throw notFound('unknown_draft', `there is no draft ${draftId}`);
    if (draft.status !== 'open') throw conflict('draft_closed', `the draft was ${draft.status}`);
    await closeDraft(tx, draftId, 'discarded', redactedAction(redactor, draft.action));
    await command.audit(tx, { scope: scopeOf(draft), changed: true });
    return { changed: true, correlation_id: command.correlationId };
  });
}
