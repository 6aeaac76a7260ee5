import { ConfigError } from '#runtime/config.js';
import type { Logger } from '#runtime/logger.js';

import { StartError } from './start-error.js';

/** Says why Holdline ends: a plain sentence where that is all there is to say, else a log line with the stack. */
export function reportFailure(error: unknown, logger: Logger): void {
  if (error instanceof StartError || error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
  else logger.fatal({ err: error }, 'Holdline has failed');
}
