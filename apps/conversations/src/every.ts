import { setTimeout as delay } from 'node:timers/promises';

/** Something that runs until it is stopped. */
export interface Running {
  stop(): Promise<void>;
}

/**
 * Runs `work` again and again with `pauseMs` between; an error goes to `onError` and the next run is due as usual. Its
 * signal aborts when it is to be stopped; a run that goes on then is waited for.
 */
export function every(
  pauseMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
): Running {
  const stopped = new AbortController();
  const running = (async () => {
    while (!stopped.signal.aborted) {
      await work(stopped.signal).catch(onError);
      await delay(pauseMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
