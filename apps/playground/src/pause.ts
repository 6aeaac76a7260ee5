import { setTimeout as delay } from 'node:timers/promises';

/** Waits. False if the signal aborted before the time was over. */
export function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return delay(ms, true, { signal }).catch(() => false);
}
