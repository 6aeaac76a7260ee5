import { createHash } from 'node:crypto';

const MAX_TOKENS = 10_000;
const KNOWN_FOR_MS = 5 * 60_000;

/**
 * Tokens that Holdline has accepted lately, by their hashes. Each has a rate limit of its own; made-up ones share that
 * of the address they come from.
 */
export class KnownTokens {
  private readonly acceptedAt = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  noteAccepted(token: string): void {
    const key = digest(token);
    this.acceptedAt.delete(key);
    this.acceptedAt.set(key, this.now());
    if (this.acceptedAt.size > MAX_TOKENS) this.acceptedAt.delete(this.acceptedAt.keys().next().value as string);
  }

  noteRefused(token: string): void {
    this.acceptedAt.delete(digest(token));
  }

  /** Whose budget a request is taken from. */
  budgetOf(token: string | undefined, address: string): string {
    if (token === undefined) return `address ${address}`;
    const key = digest(token);
    const acceptedAt = this.acceptedAt.get(key);
    const known = acceptedAt !== undefined && this.now() - acceptedAt < KNOWN_FOR_MS;
    return known ? `token ${key}` : `address ${address}`;
  }
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
