import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions {
  /** 10,000 by default. */
  timeoutMs?: number;
  /** What is waited for, to be read in the failure. */
  what?: string;
}

/**
 * Asks again and again until the answer is neither `undefined` nor `false`, and gives it.
 * An error of `condition` counts as "not yet"; the last one is the cause of the failure.
 */
export async function waitFor<Result>(
  condition: () => Promise<Result | undefined | false> | Result | undefined | false,
  { timeoutMs = 10_000, what = 'The condition' }: WaitOptions = {},
): Promise<Result> {
  const deadline = Date.now() + timeoutMs;
  let cause: unknown;
  while (Date.now() < deadline) {
    try {
      const result = await condition();
      if (result !== undefined && result !== false) return result;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await sleep(10);
  }
  throw new Error(`${what} did not come true within ${timeoutMs} ms.`, { cause });
}
