import { z } from 'zod';

import { brokerSetting, loadConfig } from '#runtime/config.js';
import { LOG_LEVELS } from '#runtime/logger.js';

const Settings = z.object({
  NATS_URL: brokerSetting(),
  HOLDLINE_LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).prefault('info'),
});

/** @throws ConfigError in one sentence a setting */
export function readConfig(env: NodeJS.ProcessEnv) {
  const { NATS_URL, HOLDLINE_LOG_LEVEL } = loadConfig(Settings, env);
  return { broker: NATS_URL, logLevel: HOLDLINE_LOG_LEVEL };
}
