/** What an `idempotency_key` stands for: the same message sends once, however often it is asked for. */
export interface SendKey {
  key: string;
  /** The message, to tell it from another. */
  fingerprint: string;
}

/** The key to send a message with: the former one as long as it is the same message, else a new one. */
export function sendKey(former: SendKey | undefined, message: object, newKey: () => string): SendKey {
  const fingerprint = JSON.stringify(message);
  return former?.fingerprint === fingerprint ? former : { key: newKey(), fingerprint };
}

/**
 * Whether the next attempt is a new message even if it says the same: the outcome of the last one is known, or cannot be
 * known and the operator decides. Otherwise nobody knows whether it got through, and the same key asks for its outcome.
 */
export function settles(reason: string): boolean {
  return !UNSETTLED.has(reason);
}

const UNSETTLED: ReadonlySet<string> = new Set(['unreachable', 'unavailable', 'internal', 'rate_limited', 'http']);
