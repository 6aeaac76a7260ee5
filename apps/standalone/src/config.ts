import { resolve } from 'node:path';

import { brokerSetting, integerSetting, loadConfig, urlSetting } from '#runtime/config.js';
import { LOG_LEVELS } from '#runtime/logger.js';
import { z } from 'zod';

import { StartError } from './start-error.js';

const Settings = z.object({
  DATABASE_URL: urlSetting('postgres', 'postgresql').optional(),
  NATS_URL: brokerSetting().optional(),
  HOLDLINE_DATA_DIR: z.string().prefault('.holdline'),
  HOLDLINE_HTTP_PORT: integerSetting({ min: 0, max: 65_535 }).optional(),
  HOLDLINE_PARTITIONS: integerSetting({ min: 1, max: 64 }).prefault('1'),
  HOLDLINE_BOOTSTRAP_TOKEN: z.string().optional(),
  HOLDLINE_LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).prefault('info'),
});

/** Settings of everything in one process. */
export type StandaloneConfig = z.infer<typeof Settings> & {
  /** Absolute. */
  dataDirectory: string;
  /** With the demo channel and agent. */
  demo: boolean;
};

/**
 * @param args what follows the script's name.
 * @throws {ConfigError | StartError} with what is wrong.
 */
export function readConfig(env: NodeJS.ProcessEnv, args: string[]): StandaloneConfig {
  const unknown = args.find((arg) => arg !== '--no-demo');
  if (unknown !== undefined) throw new StartError(`There is no option ${unknown}: the only one is --no-demo.`);
  const settings = loadConfig(Settings, env);
  return { ...settings, dataDirectory: resolve(settings.HOLDLINE_DATA_DIR), demo: !args.includes('--no-demo') };
}
