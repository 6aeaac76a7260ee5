import * as z from 'zod';
import { Id, JsonObject, JsonValue, Text, Uuid } from './fields.js';
import { message } from './message.js';

/** Params of `nexo/tools/call`. The same `call_id` is the same call, which runs once. */
export const ToolsCallParams = message({
  agent_id: Id,
  tool: Text,
  arguments: JsonObject,
  turn_id: Uuid,
  call_id: Id,
});
export type ToolsCallParams = z.infer<typeof ToolsCallParams>;

/** The outcome so far; ask again with the same `call_id` once `tool_call_finished` was seen. */
export const ToolsCallResult = z.discriminatedUnion('status', [
  message({ status: z.literal('ok'), content: JsonValue }),
  message({ status: z.literal('refused'), reason: Text, content: JsonValue }),
  message({ status: z.literal('approval_required'), approval_id: Uuid }),
]);
export type ToolsCallResult = z.infer<typeof ToolsCallResult>;

/** The reasons that the contract names for a refused call. */
export const TOOL_REFUSAL_REASONS = [
  'paused',
  'ambiguous_caller',
  'unknown_turn',
  'stale_epoch',
  'not_admin',
  'not_linked',
  'already_admin',
  'not_admin_target',
  'last_admin',
] as const;
export type ToolRefusalReason = (typeof TOOL_REFUSAL_REASONS)[number];
