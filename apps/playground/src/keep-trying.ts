import type { Logger } from '#runtime/logger.js';

import { pause } from './pause.js';

const RETRY_MS = 1_000;

/**
 * Does the work, again and again until it succeeds. When the signal aborts, the attempt under way is waited for no
 * longer.
 * @param what is said in the log when it fails for the first time
 * @returns undefined if the signal aborted before
 */
export async function keepTrying<Result>(
  what: string,
  work: () => Promise<Result>,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): Promise<Result | undefined> {
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      return await untilAborted(work(), signal);
    } catch (error) {
      if (attempt === 1 && !signal.aborted) logger.warn({ err: error }, `${what} failed; trying again`);
      await pause(RETRY_MS, signal);
    }
  }
  return undefined;
}

async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
  let abandon: () => void = () => undefined;
  const aborted = new Promise<undefined>((resolve) => (abandon = () => resolve(undefined)));
  signal.addEventListener('abort', abandon, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}
