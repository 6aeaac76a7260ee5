import * as z from 'zod';
import { Attachments, Id, JsonValue, Text } from './fields.js';
import { message, optional } from './message.js';

/** How the body of a message is meant. */
export const MessageKind = z.enum(['text', 'template', 'media']);
export type MessageKind = z.infer<typeof MessageKind>;

/** A reply to the contact: the only action that is carried out. */
export const ReplyAction = message({
  kind: z.literal('reply'),
  channel: Id,
  account_id: Id,
  to: Id,
  body: Text,
  msg_kind: MessageKind,
  attachments: optional(Attachments),
  reply_to_msg_id: optional(Text),
});
export type ReplyAction = z.infer<typeof ReplyAction>;

/** Skip a queued item. Reserved. */
export const SkipItemAction = message({ kind: z.literal('skip_item'), item_id: Id, reason: Text });
export type SkipItemAction = z.infer<typeof SkipItemAction>;

/** Replace an output of the agent. Reserved. */
export const OverrideOutputAction = message({ kind: z.literal('override_output'), value: JsonValue });
export type OverrideOutputAction = z.infer<typeof OverrideOutputAction>;

/** Give the agent an input of the operator's. Reserved. */
export const InjectInputAction = message({ kind: z.literal('inject_input'), content: JsonValue });
export type InjectInputAction = z.infer<typeof InjectInputAction>;

/** An action that the caller defines. Reserved. */
export const CustomAction = message({ kind: z.literal('custom'), action_kind: Text, payload: JsonValue });
export type CustomAction = z.infer<typeof CustomAction>;

/** What an operator does within a paused scope, tagged by `kind`. */
export const InterventionAction = z.discriminatedUnion('kind', [
  ReplyAction,
  SkipItemAction,
  OverrideOutputAction,
  InjectInputAction,
  CustomAction,
]);
export type InterventionAction = z.infer<typeof InterventionAction>;
