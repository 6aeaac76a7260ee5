import { setTimeout as sleep } from 'node:timers/promises';

import { classifyDatabaseError } from '#store/database-errors.js';

const MAX_TRIES = 3;
/** No try begins later than this; longer than PostgreSQL takes to find a deadlock. */
const LAST_TRY_BEGINS_WITHIN_MS = 2_500;
const BACK_OFF_MS = 20;

/**
 * Runs `work`, and runs it again where the database undid it for a reason that passes, such as a deadlock.
 * @throws the error of the last try
 */
export async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const late = performance.now() - startedAt > LAST_TRY_BEGINS_WITHIN_MS;
      if (late || tries === MAX_TRIES || classifyDatabaseError(error) !== 'retry') throw error;
      await sleep(BACK_OFF_MS * tries * (0.5 + Math.random()));
    }
  }
}
