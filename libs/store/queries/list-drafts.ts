import { DRAFT_COLUMNS, DRAFT_JOINS, type DraftOfConversation, type DraftRow, toDraft } from '../draft.js';
import type { Reader } from '../read.js';

export interface DraftPage {
  /** Undefined for those of all conversations. */
  conversationId: string | undefined;
  limit: number;
  /** Drafts after this many bytes of text are left out. */
  maxBytes: number;
}

function listDraftsOf(which: 'all' | 'conversation') {
  return {
    name: `list-drafts-${which}`,
    text: `
      SELECT ${DRAFT_COLUMNS}
      FROM (
        SELECT *, sum(octet_length(action)) OVER (ORDER BY created_at_ms DESC, draft_id) - octet_length(action)
          AS bytes_before
        FROM (
          SELECT * FROM drafts ${which === 'all' ? '' : 'WHERE conversation_id = $3'}
          ORDER BY created_at_ms DESC, draft_id
          LIMIT $1
        ) AS newest
      ) AS d
      ${DRAFT_JOINS}
      WHERE d.bytes_before < $2
      ORDER BY d.created_at_ms DESC, d.draft_id`,
  };
}

const LIST_DRAFTS = listDraftsOf('all');
const LIST_DRAFTS_OF_CONVERSATION = listDraftsOf('conversation');

/** The newest drafts, newest first. */
export async function listDrafts(
  reader: Reader,
  { conversationId, limit, maxBytes }: DraftPage,
): Promise<DraftOfConversation[]> {
  const rows = await (conversationId === undefined
    ? reader.rows<DraftRow>(LIST_DRAFTS, [limit, maxBytes])
    : reader.rows<DraftRow>(LIST_DRAFTS_OF_CONVERSATION, [limit, maxBytes, conversationId]));
  return rows.map(toDraft);
}
