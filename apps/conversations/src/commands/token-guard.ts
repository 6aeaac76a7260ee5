import { createHash, randomBytes } from 'node:crypto';

import { RateLimiterMemory } from 'rate-limiter-flexible';

import { tokenSha256 } from '#domain/operators/token-hash.js';

const FAILURES_PER_WINDOW = 60;
const WINDOW_SECONDS = 60;
/** How often the valid tokens are read at most. */
const FRESH_FOR_MS = 1_000;

/** Where a request comes from, as far as the broker shows it, and the token that it shows. */
export interface TokenUse {
  source?: string | undefined;
  bearerToken?: string | undefined;
}

/**
 * Keeps sources that show one worthless token after the other from costing the database a look-up each. Nobody is
 * locked out by who shares a source with them, by chance or on purpose: what such a source shows is compared with the
 * valid tokens, which are read once a second for all of them.
 */
export class TokenGuard {
  private readonly failures = new RateLimiterMemory({ points: FAILURES_PER_WINDOW, duration: WINDOW_SECONDS });
  private readonly salt = randomBytes(16);
  private valid: Promise<ReadonlySet<string>> | undefined;
  private readAtMs = 0;

  constructor(
    /** SHA-256, in hex, of every valid token. */
    private readonly readValidTokens: () => Promise<ReadonlySet<string>>,
    /** Milliseconds that only rise. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Milliseconds for which this token of this source is not to be looked up; 0 if it is. */
  async holdOffMs({ source = '', bearerToken }: TokenUse): Promise<number> {
    const counted = await this.failures.get(this.bucket(source));
    if (counted === null || counted.remainingPoints > 0) return 0;
    const isValid =
      bearerToken !== undefined && (await this.validTokens()).has(tokenSha256(bearerToken).toString('hex'));
    return isValid ? 0 : counted.msBeforeNext;
  }

  /** Counts a token that belongs to nobody. */
  async refused({ source = '' }: TokenUse): Promise<void> {
    await this.failures.consume(this.bucket(source)).catch(() => undefined);
  }

  private validTokens(): Promise<ReadonlySet<string>> {
    if (this.valid !== undefined && this.now() - this.readAtMs < FRESH_FOR_MS) return this.valid;
    this.readAtMs = this.now();
    const reading = this.readValidTokens();
    this.valid = reading;
    reading.catch(() => {
      if (this.valid === reading) this.valid = undefined;
    });
    return reading;
  }

  /** One of 65,536, so that made-up sources cannot fill the memory; nobody outside knows who shares one. */
  private bucket(source: string): string {
    return createHash('sha256').update(this.salt).update(source).digest('hex').slice(0, 4);
  }
}
