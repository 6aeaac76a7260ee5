import { setTimeout as delay } from 'node:timers/promises';

import { NoAnswer, Unavailable } from './errors.js';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

export interface RetryOptions {
  /** No attempt begins later than this. */
  forMs: number;
  /** Which failures pass; by default `Unavailable` and `NoAnswer`, for what may be asked twice. */
  passes?: (error: unknown) => boolean;
  /** Ends the attempts with the last failure. */
  signal?: AbortSignal | undefined;
}

/** True for failures after which the same request may be made again, if making it twice does no harm. */
export function isPassing(error: unknown): boolean {
  return error instanceof Unavailable || error instanceof NoAnswer;
}

/** Does the work again while it fails for a reason that passes. @throws the last failure */
export async function retrying<Result>(work: () => Promise<Result>, options: RetryOptions): Promise<Result> {
  const { forMs, passes = isPassing, signal } = options;
  const lastBeginMs = performance.now() + forMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!passes(error) || signal?.aborted || performance.now() + pauseMs > lastBeginMs) throw error;
      await delay(pauseMs, undefined, signal ? { signal } : {}).catch(() => undefined);
      if (signal?.aborted) throw error;
    }
  }
}
