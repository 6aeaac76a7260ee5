import type { Reader } from '../read.js';

const FIND_DUE_AUTO_RESUMES = {
  name: 'find-due-auto-resumes',
  text: `
    SELECT conversation_id FROM conversations
    WHERE auto_resume_at_ms <= (extract(epoch FROM clock_timestamp()) * 1000)::bigint
    ORDER BY auto_resume_at_ms LIMIT $1`,
};

/** Conversations whose time to be handed back has come, on the database's clock. */
export async function findDueAutoResumes(reader: Reader, limit: number): Promise<string[]> {
  const rows = await reader.rows<{ conversation_id: string }>(FIND_DUE_AUTO_RESUMES, [limit]);
  return rows.map((row) => row.conversation_id);
}
