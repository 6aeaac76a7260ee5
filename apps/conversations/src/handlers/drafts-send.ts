import type { DraftsSendParams, DraftsSendResult } from '#contracts/drafts-send.js';
import { conflict, notFound, type RpcError } from '#contracts/errors.js';
import type { ReplyAction } from '#contracts/intervention-action.js';
import type { StoredDraft } from '#store/draft.js';
import { findDraft, lockDraft } from '#store/queries/find-draft.js';
import { beginSendingDraft, closeDraft } from '#store/queries/update-draft.js';
import { readOnce } from '#store/read.js';
import { withTransaction } from '#store/transaction.js';

import type { CommandContext } from '../commands/command-context.js';
import { describeFailure } from '../commands/describe-failure.js';
import { scopeOf } from '../control-state.js';
import type { Dependencies } from '../dependencies.js';
import { redactedAction } from '../drafts/redacted-action.js';
import { checkReply } from '../outbound/check-reply.js';
import { admitOperatorReply, operatorAck } from '../outbound/operator-reply.js';
import { sendOutbound } from '../outbound/send-outbound.js';

/**
 * An operator sends what the agent wanted to say, or says it in other words: a reply of the operator's like any other.
 * The draft is closed unless it is certain that nothing was sent: a refusal of the channel leaves it open, an unknown
 * outcome does not.
 * @throws RpcError `not_found: unknown_draft`, `conflict: draft_closed`, `scope_not_paused`,
 * `conflict: held_by_other_operator`, and the errors of the channel
 */
export async function draftsSend(
  deps: Dependencies,
  { draft_id: draftId, body, session_id: sessionId }: DraftsSendParams,
  command: CommandContext,
): Promise<DraftsSendResult> {
  const draft = await readOnce(deps.dataSource, (reader) => findDraft(reader, draftId));
  if (draft === undefined) throw unknownDraft(draftId);
  const scope = scopeOf(draft);
  const outcome = await sendOutbound(deps, {
    outboundId: command.correlationId,
    scope,
    admit: async (tx, conversation) => {
      const current = await lockDraft(tx, draftId);
      if (current === undefined) throw unknownDraft(draftId);
      if (current.status !== 'open') throw conflict('draft_closed', `the draft was ${current.status}`);
      const action: ReplyAction = { ...current.action, ...(body === undefined ? {} : { body }) };
      checkReply(action);
      const outbound = admitOperatorReply(deps, conversation, { scope, action, sessionId }, command);
      await beginSendingDraft(tx, draftId, command.correlationId);
      return { kind: 'send', outbound };
    },
  });
  if (outcome.status === 'sent' || outcome.status === 'unknown') await close(deps, draft, command);
  return operatorAck(command, outcome);
}

function unknownDraft(draftId: string): RpcError {
  return notFound('unknown_draft', `there is no draft ${draftId}`);
}

/** Its text was needed until now. That it is closed is known from the message already, so that this may fail. */
async function close(deps: Dependencies, { draftId, action }: StoredDraft, command: CommandContext): Promise<void> {
  const redacted = redactedAction(deps.redactor, action);
  try {
    await withTransaction(deps.dataSource, (tx) => closeDraft(tx, draftId, 'sent', redacted));
  } catch (error) {
    const details = { correlation_id: command.correlationId, failure: describeFailure(error) };
    deps.logger.warn(details, 'the text of a draft that was sent could not be redacted');
  }
}
