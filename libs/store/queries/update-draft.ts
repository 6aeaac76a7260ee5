import type { ReplyAction } from '#contracts/intervention-action.js';

import type { Transaction } from '../transaction.js';

const BEGIN_SENDING_DRAFT = {
  name: 'begin-sending-draft',
  text: `UPDATE drafts SET outbound_id = $2 WHERE draft_id = $1`,
};

const CLOSE_DRAFT = {
  name: 'close-draft',
  text: `
    UPDATE drafts SET status = $2, action = $3, closed_at_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
    WHERE draft_id = $1`,
};

/** Ties a locked draft to the message that it is being sent as: what becomes of that decides whether it is open. */
export async function beginSendingDraft(tx: Transaction, draftId: string, outboundId: string): Promise<void> {
  await tx.rows(BEGIN_SENDING_DRAFT, [draftId, outboundId]);
}

/** Closes a draft for good. @param action redacted, in place of what the agent wrote */
export async function closeDraft(
  tx: Transaction,
  draftId: string,
  status: 'sent' | 'discarded',
  action: ReplyAction,
): Promise<void> {
  await tx.rows(CLOSE_DRAFT, [draftId, status, JSON.stringify(action)]);
}
