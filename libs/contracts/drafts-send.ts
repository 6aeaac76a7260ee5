import type * as z from 'zod';
import { Text, Uuid } from './fields.js';
import { message, optional } from './message.js';
import { ProcessingAck } from './processing-ack.js';

/** Params of `nexo/admin/drafts/send`. `body` replaces the agent's text. */
export const DraftsSendParams = message({
  draft_id: Uuid,
  operator_token_hash: Text,
  body: optional(Text),
  session_id: optional(Uuid),
});
export type DraftsSendParams = z.infer<typeof DraftsSendParams>;

export const DraftsSendResult = ProcessingAck;
export type DraftsSendResult = ProcessingAck;
