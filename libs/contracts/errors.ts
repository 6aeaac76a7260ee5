/** The stable word that every error message begins with, and its JSON-RPC code. */
export const ERROR_CODES = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  not_implemented: -32601,
  invalid_params: -32602,
  session_id_required_with_summary: -32602,
  empty_summary: -32602,
  summary_too_long: -32602,
  scope_not_paused: -32602,
  target_mismatch: -32602,
  internal: -32603,
  unauthenticated: -32001,
  capability_not_granted: -32004,
  conflict: -32005,
  not_found: -32006,
  channel_unavailable: -32010,
  channel_rejected: -32011,
  channel_timeout: -32012,
  unavailable: -32013,
} as const;
export type ErrorWord = keyof typeof ERROR_CODES;

/** The words that are answered with -32602. */
export type InvalidParamsReason = {
  [Word in ErrorWord]: (typeof ERROR_CODES)[Word] extends -32602 ? Word : never;
}[ErrorWord];

/** `data.reason` of a `conflict`. */
export type ConflictReason =
  | 'stale_epoch'
  | 'held_by_other_operator'
  | 'idempotency_key_reused'
  | 'draft_closed'
  | 'throttled'
  | 'call_id_reused'
  | 'already_decided'
  | 'expired'
  | 'void'
  | 'last_admin';

/** `data.reason` of a `not_found`. */
export type NotFoundReason =
  | 'unknown_turn'
  | 'unknown_draft'
  | 'unknown_escalation'
  | 'unknown_approval'
  | 'unknown_server'
  | 'unknown_tool'
  | 'unknown_operator';

/** What a JSON-RPC response carries as `error`. */
export interface RpcErrorBody {
  code: number;
  message: string;
  data: { reason: string; [key: string]: unknown };
}

/** An error of the contract. The message begins with its word; `reason` is the word to branch on. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly word: ErrorWord;
  /** The word itself, or the particular one of a `conflict` or `not_found`. */
  readonly reason: string;
  readonly data: RpcErrorBody['data'];

  constructor(word: ErrorWord, detail: string, data: Record<string, unknown> = {}, reason: string = word) {
    super(reason === word ? `${word}: ${detail}` : `${word}: ${reason}: ${detail}`);
    this.code = ERROR_CODES[word];
    this.word = word;
    this.reason = reason;
    this.data = { ...data, reason };
  }

  toJson(): RpcErrorBody {
    return { code: this.code, message: this.message, data: this.data };
  }
}

/** -32700: the request is not JSON. */
export function parseError(detail: string): RpcError {
  return new RpcError('parse_error', detail);
}

/** -32600: the request is JSON but no JSON-RPC 2.0 request that may be sent here. */
export function invalidRequest(detail: string): RpcError {
  return new RpcError('invalid_request', detail);
}

/** -32601: no such method. */
export function methodNotFound(method: string): RpcError {
  return new RpcError('method_not_found', `there is no method ${method}`);
}

/** -32601: the contract reserves it, Holdline does not carry it out. */
export function notImplemented(what: string): RpcError {
  return new RpcError('not_implemented', `${what} is not implemented`);
}

/** -32602. `path` is the place in the params, such as `scope.agent_id`; a named reason replaces `invalid_params`. */
export function invalidParams(path: string, detail: string, reason: InvalidParamsReason = 'invalid_params'): RpcError {
  return new RpcError(reason, detail, { path });
}

/** -32603. The correlation id leads to the log; nothing of the cause is told. */
export function internal(correlationId: string): RpcError {
  return new RpcError('internal', `something failed here; the log has it under ${correlationId}`, {
    correlation_id: correlationId,
  });
}

/**
 * -32001: no token, an unknown or revoked one, or one that does not belong to `operator_token_hash`. With
 * `retryAfterMs` the token was not looked up, because its source has shown too many worthless ones.
 */
export function unauthenticated(options: { retryAfterMs?: number } = {}): RpcError {
  return new RpcError(
    'unauthenticated',
    'a valid bearer token that belongs to operator_token_hash is needed',
    options.retryAfterMs === undefined ? {} : { retry_after_ms: options.retryAfterMs },
  );
}

/** -32004: the operator is known but may not do this. */
export function capabilityNotGranted(capability: string, method: string): RpcError {
  return new RpcError('capability_not_granted', `${method} needs ${capability}`, { capability, method });
}

/** -32005: the request is right, but not now. */
export function conflict(reason: ConflictReason, detail: string, data: Record<string, unknown> = {}): RpcError {
  return new RpcError('conflict', detail, data, reason);
}

/** -32006: what the request names does not exist. */
export function notFound(reason: NotFoundReason, detail: string): RpcError {
  return new RpcError('not_found', detail, {}, reason);
}

/** -32010: the channel was not reached; nothing was sent. */
export function channelUnavailable(detail: string): RpcError {
  return new RpcError('channel_unavailable', detail);
}

/** -32011: the channel refused; `detail` is what it said, `channelReason` its word for it. */
export function channelRejected(detail: string, channelReason?: string): RpcError {
  return new RpcError('channel_rejected', 'the channel refused the message', {
    detail,
    ...(channelReason === undefined ? {} : { channel_reason: channelReason }),
  });
}

/** -32012: the channel did not answer in time; the message may have been sent. */
export function channelTimeout(detail: string): RpcError {
  return new RpcError('channel_timeout', detail);
}

/** -32013: database or broker away; safe to retry. `committed` says that the change was made all the same. */
export function unavailable(detail: string, options: { committed?: boolean } = {}): RpcError {
  return new RpcError('unavailable', detail, options.committed ? { committed: true } : {});
}
