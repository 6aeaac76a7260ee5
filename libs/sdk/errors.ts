import { ERROR_CODES, type ErrorWord } from '#contracts/errors.js';
import type { JsonRpcError } from '#contracts/json-rpc.js';

/** An error of the contract, as Holdline answered it. There is a class for every word; branch on class or `reason`. */
export class HoldlineError extends Error {
  override readonly name: string = 'HoldlineError';
  /** JSON-RPC code. */
  readonly code: number;
  /** The stable word that the message begins with. */
  readonly word: string;
  /** The word, or the particular one of a `conflict` or `not_found`, such as `stale_epoch`. */
  readonly reason: string;
  readonly data: Readonly<Record<string, unknown>>;

  constructor({ code, message, data = { reason: '' } }: JsonRpcError) {
    super(message);
    this.code = code;
    this.word = /^\w+/.exec(message)?.[0] ?? 'unknown';
    this.reason = data.reason === '' ? this.word : data.reason;
    this.data = data;
  }
}

/** `parse_error`, `invalid_request` or `method_not_found`: this SDK and this Holdline do not fit together. */
export class InvalidRequest extends HoldlineError {
  override readonly name = 'InvalidRequest';
}

/** `not_implemented`: the contract reserves it. */
export class NotImplemented extends HoldlineError {
  override readonly name = 'NotImplemented';
}

/** `invalid_params` and the words for particular rules, such as `empty_summary`. */
export class InvalidParams extends HoldlineError {
  override readonly name: string = 'InvalidParams';

  /** The place in the params that does not fit, such as `scope.agent_id`. */
  get path(): string | undefined {
    return textOf(this.data['path']);
  }
}

/** `scope_not_paused`: an operator's reply needs a pause. */
export class ScopeNotPaused extends InvalidParams {
  override readonly name = 'ScopeNotPaused';
}

/** `target_mismatch`: the reply is addressed to somebody else than the scope's contact. */
export class TargetMismatch extends InvalidParams {
  override readonly name = 'TargetMismatch';
}

/** `internal`: Holdline's log has the cause. */
export class Internal extends HoldlineError {
  override readonly name = 'Internal';

  /** Leads to the log. */
  get correlationId(): string | undefined {
    return textOf(this.data['correlation_id']);
  }
}

/** `unauthenticated`: no token, or one that is unknown or revoked. */
export class Unauthenticated extends HoldlineError {
  override readonly name = 'Unauthenticated';
}

/** `capability_not_granted`: the operator is known, but may not do this. */
export class CapabilityNotGranted extends HoldlineError {
  override readonly name = 'CapabilityNotGranted';

  /** The capability that is missing. */
  get capability(): string | undefined {
    return textOf(this.data['capability']);
  }
}

/** `conflict`: right, but not now; `reason` says why, for instance `held_by_other_operator`. */
export class Conflict extends HoldlineError {
  override readonly name = 'Conflict';

  /** With `throttled`: when it may be asked again, in milliseconds from now. */
  get retryAfterMs(): number | undefined {
    const ms = this.data['retry_after_ms'];
    return typeof ms === 'number' ? ms : undefined;
  }
}

/** `not_found`: what the request names does not exist; `reason` says what, for instance `unknown_turn`. */
export class NotFound extends HoldlineError {
  override readonly name = 'NotFound';
}

/** `channel_unavailable`: nobody answers for the channel account; nothing was sent. */
export class ChannelUnavailable extends HoldlineError {
  override readonly name = 'ChannelUnavailable';
}

/** `channel_rejected`: the channel refused; nothing was sent. */
export class ChannelRejected extends HoldlineError {
  override readonly name = 'ChannelRejected';

  /** The channel's own words. */
  get detail(): string | undefined {
    return textOf(this.data['detail']);
  }
}

/** `channel_timeout`: the channel may or may not have sent it. Holdline never sends it again; neither should you. */
export class ChannelTimeout extends HoldlineError {
  override readonly name = 'ChannelTimeout';
}

/** `unavailable`: the database or the broker is away, or nobody answers; safe to ask again. */
export class Unavailable extends HoldlineError {
  override readonly name = 'Unavailable';

  /** True if the change was made all the same, and only its confirmation is missing. */
  get committed(): boolean {
    return this.data['committed'] === true;
  }
}

/** There was no answer in time, or the connection ended: the request may or may not have been carried out. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(method: string, cause: unknown) {
    super(`no answer to ${method}; it may have been carried out`, { cause });
  }
}

/** What came back is no answer of this contract. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';

  constructor(method: string, cause: unknown) {
    super(`the answer to ${method} is none of the contract`, { cause });
  }
}

const CLASSES: Record<ErrorWord, new (error: JsonRpcError) => HoldlineError> = {
  parse_error: InvalidRequest,
  invalid_request: InvalidRequest,
  method_not_found: InvalidRequest,
  not_implemented: NotImplemented,
  invalid_params: InvalidParams,
  session_id_required_with_summary: InvalidParams,
  empty_summary: InvalidParams,
  summary_too_long: InvalidParams,
  scope_not_paused: ScopeNotPaused,
  target_mismatch: TargetMismatch,
  internal: Internal,
  unauthenticated: Unauthenticated,
  capability_not_granted: CapabilityNotGranted,
  conflict: Conflict,
  not_found: NotFound,
  channel_unavailable: ChannelUnavailable,
  channel_rejected: ChannelRejected,
  channel_timeout: ChannelTimeout,
  unavailable: Unavailable,
};

/** The class that belongs to the word of an error; one that this SDK does not know is a plain HoldlineError. */
export function toHoldlineError(error: JsonRpcError): HoldlineError {
  const word = /^\w+/.exec(error.message)?.[0] ?? '';
  return Object.hasOwn(CLASSES, word) ? new CLASSES[word as ErrorWord](error) : new HoldlineError(error);
}

/** An error that Holdline would have answered, had anybody been there to answer. */
export function unavailableHere(detail: string): Unavailable {
  return new Unavailable({
    code: ERROR_CODES.unavailable,
    message: `unavailable: ${detail}`,
    data: { reason: 'unavailable' },
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
