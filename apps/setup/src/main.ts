import 'reflect-metadata';

import { ConfigError } from '#runtime/config.js';
import { createLogger } from '#runtime/logger.js';

import { readConfig } from './config.js';
import { prepare } from './prepare.js';

/** Exit codes: 0 = done, 1 = it could not be done now and may be tried again, 2 = the settings are wrong. */
const FAILED = 1;
const WRONG_SETTINGS = 2;
const LIMIT_MS = 60_000;

const logger = createLogger('setup');
try {
  const { logLevel, ...config } = readConfig(process.env);
  logger.level = logLevel;
  const token = await prepare({ ...config, logger, signal: AbortSignal.timeout(LIMIT_MS) });
  if (token !== undefined) process.stderr.write(`The first operator's token, shown this once: ${token}\n`);
} catch (error) {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
  else logger.fatal({ err: error }, 'database and broker could not be prepared');
  process.exitCode = error instanceof ConfigError ? WRONG_SETTINGS : FAILED;
}
