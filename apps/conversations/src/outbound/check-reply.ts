import { invalidParams } from '#contracts/errors.js';
import type { ReplyAction } from '#contracts/intervention-action.js';
import { MAX_REPLY_ATTACHMENT_BYTES, MAX_REPLY_ATTACHMENTS } from '#contracts/limits.js';
import { channelSendSubject } from '#contracts/subjects.js';
import { utf8Length } from '#contracts/text.js';

/**
 * What holds for every message to a contact, whoever writes it.
 * @throws RpcError `invalid_params`
 */
export function checkReply({ channel, account_id, body, attachments = [] }: ReplyAction): void {
  checkSubject(channel, account_id);
  if (body.length === 0 && attachments.length === 0) {
    throw invalidParams('action.body', 'action.body may be empty only with attachments');
  }
  if (attachments.length > MAX_REPLY_ATTACHMENTS) {
    throw invalidParams('action.attachments', `action.attachments must be at most ${MAX_REPLY_ATTACHMENTS}`);
  }
  if (attachments.length > 0 && utf8Length(JSON.stringify(attachments)) > MAX_REPLY_ATTACHMENT_BYTES) {
    const limit = `${MAX_REPLY_ATTACHMENT_BYTES} bytes of JSON`;
    throw invalidParams('action.attachments', `action.attachments must be at most ${limit} together`);
  }
}

function checkSubject(channel: string, accountId: string): void {
  try {
    channelSendSubject(channel, accountId);
  } catch {
    throw invalidParams('action.account_id', 'action.channel and action.account_id are too long for a subject');
  }
}
