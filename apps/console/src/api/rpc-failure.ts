import type { RpcErrorBody } from '#contracts/errors.js';

/** Why a request had no JSON-RPC answer at all. */
export type HttpReason = 'unreachable' | 'rate_limited' | 'too_large' | 'http';

/** A command that was refused or did not get through. `reason` is the word to branch on. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure';

  constructor(
    readonly reason: string,
    message: string,
    readonly data: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }

  /** From the `error` of a JSON-RPC response. */
  static ofError(error: RpcErrorBody): RpcFailure {
    return new RpcFailure(error.data?.reason ?? String(error.code), error.message, error.data ?? {});
  }

  /** From an HTTP status that is not 200. */
  static ofStatus(status: number): RpcFailure {
    return new RpcFailure(reasonOfStatus(status), `HTTP ${status}`, { status });
  }
}

function reasonOfStatus(status: number): string {
  switch (status) {
    case 401:
      return 'unauthenticated';
    case 413:
      return 'too_large';
    case 429:
      return 'rate_limited';
    case 503:
      return 'unavailable';
    default:
      return 'http' satisfies HttpReason;
  }
}

/** The failure's word, whatever was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof RpcFailure ? error.reason : 'internal';
}
