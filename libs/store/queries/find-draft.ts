import { DRAFT_COLUMNS, DRAFT_JOINS, type DraftOfConversation, type DraftRow, toDraft } from '../draft.js';
import type { Reader } from '../read.js';
import type { Transaction } from '../transaction.js';

const FIND_DRAFT = {
  name: 'find-draft',
  text: `SELECT ${DRAFT_COLUMNS} FROM drafts AS d ${DRAFT_JOINS} WHERE d.draft_id = $1`,
};

const LOCK_DRAFT = { name: 'lock-draft', text: `${FIND_DRAFT.text} FOR UPDATE OF d` };

/** One draft; undefined if there is none of this id. */
export async function findDraft(reader: Reader, draftId: string): Promise<DraftOfConversation | undefined> {
  const [row] = await reader.rows<DraftRow>(FIND_DRAFT, [draftId]);
  return row && toDraft(row);
}

/** The same, locked until the transaction ends. The caller has locked its conversation before. */
export async function lockDraft(tx: Transaction, draftId: string): Promise<DraftOfConversation | undefined> {
  const [row] = await tx.rows<DraftRow>(LOCK_DRAFT, [draftId]);
  return row && toDraft(row);
}
