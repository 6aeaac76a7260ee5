import type { Reader } from '../read.js';

/** A contact of a channel account. */
export interface ContactPlace {
  channel: string;
  accountId: string;
  contactId: string;
}

const FIND_CONVERSATIONS_OF_CONTACT = {
  name: 'find-conversations-of-contact',
  text: `
    SELECT conversation_id FROM conversations
    WHERE contact_id = $1 AND channel = $2 AND account_id = $3 ORDER BY conversation_id`,
};

/** The conversations that agents have with a contact through one channel account. */
export async function findConversationsOfContact(
  reader: Reader,
  { channel, accountId, contactId }: ContactPlace,
): Promise<string[]> {
  const rows = await reader.rows<{ conversation_id: string }>(FIND_CONVERSATIONS_OF_CONTACT, [
    contactId,
    channel,
    accountId,
  ]);
  return rows.map((row) => row.conversation_id);
}
