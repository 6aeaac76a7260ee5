import * as z from 'zod';
import { message, optional } from './message.js';

/** The id of a request: chosen by the caller, given back as it came. */
export const JsonRpcId = z.union([z.string(), z.number(), z.null()]);
export type JsonRpcId = z.infer<typeof JsonRpcId>;

/** A request. Without an `id` it is carried out and not answered; here `null` is an `id`, not an absent one. */
export const JsonRpcRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.exactOptional(JsonRpcId),
  method: z.string(),
  params: z.exactOptional(z.unknown()),
});
export type JsonRpcRequest = z.infer<typeof JsonRpcRequest>;

/** The error of a response. */
export const JsonRpcError = message({
  code: z.int(),
  message: z.string(),
  data: optional(z.looseObject({ reason: z.string() })),
});
export type JsonRpcError = z.infer<typeof JsonRpcError>;

export const JsonRpcFailure = message({ jsonrpc: z.literal('2.0'), id: JsonRpcId, error: JsonRpcError });
export type JsonRpcFailure = z.infer<typeof JsonRpcFailure>;

export const JsonRpcSuccess = message({ jsonrpc: z.literal('2.0'), id: JsonRpcId, result: z.unknown() });
export type JsonRpcSuccess = z.infer<typeof JsonRpcSuccess>;

/** What a request with an `id` gets. */
export const JsonRpcResponse = z.union([JsonRpcFailure, JsonRpcSuccess]);
export type JsonRpcResponse = z.infer<typeof JsonRpcResponse>;
