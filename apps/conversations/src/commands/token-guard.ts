import { createHash, randomBytes } from 'node:crypto';

import { RateLimiterMemory } from 'rate-limiter-flexible';

const FAILURES_PER_WINDOW = 60;
const WINDOW_SECONDS = 60;
const KNOWN_FOR_MS = 3_600_000;

/** Where a request comes from, as far as the broker shows it, and the token that it shows. */
export interface TokenUse {
  source?: string | undefined;
  bearerToken?: string | undefined;
}

/**
 * Holds off sources that show one worthless token after the other. Whoever shares a source with them, by chance or
 * because it was made up, is not held off with a token that was valid within the last hour.
 */
export class TokenGuard {
  private readonly failures = new RateLimiterMemory({ points: FAILURES_PER_WINDOW, duration: WINDOW_SECONDS });
  /** Digests of tokens and the time until which they count as valid; operators are few. */
  private readonly known = new Map<string, number>();
  private readonly salt = randomBytes(16);

  /** @param now milliseconds that only rise */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Milliseconds for which this token of this source is not to be looked up; 0 if it is. */
  async holdOffMs({ source = '', bearerToken }: TokenUse): Promise<number> {
    if (bearerToken !== undefined && (this.known.get(digest(bearerToken)) ?? 0) > this.now()) return 0;
    const counted = await this.failures.get(this.bucket(source));
    return counted !== null && counted.remainingPoints <= 0 ? counted.msBeforeNext : 0;
  }

  /** The token belongs to an operator. */
  accepted({ bearerToken }: TokenUse): void {
    if (bearerToken !== undefined) this.known.set(digest(bearerToken), this.now() + KNOWN_FOR_MS);
  }

  /** The token belongs to nobody, or not any more. */
  async refused({ source = '', bearerToken }: TokenUse): Promise<void> {
    if (bearerToken !== undefined) this.known.delete(digest(bearerToken));
    await this.failures.consume(this.bucket(source)).catch(() => undefined);
  }

  /** One of 65,536, so that made-up sources cannot fill the memory; nobody outside knows who shares one. */
  private bucket(source: string): string {
    return createHash('sha256').update(this.salt).update(source).digest('hex').slice(0, 4);
  }
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
