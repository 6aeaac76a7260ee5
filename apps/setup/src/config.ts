import { brokerSetting, integerSetting, loadConfig, urlSetting } from '#runtime/config.js';
import { LOG_LEVELS } from '#runtime/logger.js';
import { z } from 'zod';

const Settings = z.object({
  DATABASE_URL: urlSetting('postgres', 'postgresql'),
  NATS_URL: brokerSetting(),
  HOLDLINE_PARTITIONS: integerSetting({ min: 1, max: 64 }).prefault('1'),
  HOLDLINE_BOOTSTRAP_TOKEN: z.string().optional(),
  HOLDLINE_LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).prefault('info'),
});

/** @throws {ConfigError} in one sentence a setting. */
export function readConfig(env: NodeJS.ProcessEnv) {
  const settings = loadConfig(Settings, env);
  return {
    databaseUrl: settings.DATABASE_URL,
    broker: settings.NATS_URL,
    partitions: settings.HOLDLINE_PARTITIONS,
    bootstrapToken: settings.HOLDLINE_BOOTSTRAP_TOKEN,
    logLevel: settings.HOLDLINE_LOG_LEVEL,
  };
}
