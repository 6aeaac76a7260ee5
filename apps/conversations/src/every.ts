import { setTimeout as delay } from 'node:timers/promises';

/** Something that runs until it is stopped. */
export interface Running {
  stop(): Promise<void>;
}

/** Runs `work` again and again with `pauseMs` between; an error goes to `onError` and the next run is due as usual. */
export function every(pauseMs: number, work: () => Promise<unknown>, onError: (error: unknown) => void): Running {
  const stopped = new AbortController();
  const running = (async () => {
    while (!stopped.signal.aborted) {
      await work().catch(onError);
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
