import type { StoredDraft } from '../draft.js';
import type { Transaction } from '../transaction.js';

export type NewDraft = Omit<StoredDraft, 'status'> & {
  contentSha256: Buffer;
  /** The message that a pause called back; null if none was begun. */
  outboundId: string | null;
};

const INSERT_DRAFT = {
  name: 'insert-draft',
  text: `
    INSERT INTO drafts (draft_id, conversation_id, turn_id, content_sha256, action, reason, outbound_id, created_at_ms)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT DO NOTHING`,
};

/** Keeps a reply that is not sent. @returns false if it was kept before */
export async function insertDraft(tx: Transaction, draft: NewDraft): Promise<boolean> {
  const inserted = await tx.affected(INSERT_DRAFT, [
    draft.draftId,
    draft.conversationId,
    draft.turnId,
    draft.contentSha256,
    JSON.stringify(draft.action),
    draft.reason,
    draft.outboundId,
    draft.createdAtMs,
  ]);
  return inserted === 1;
}
