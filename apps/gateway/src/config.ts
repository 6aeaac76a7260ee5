import { z } from 'zod';

import { type BrokerAddress, brokerSetting, integerSetting, loadConfig } from '#runtime/config.js';
import { LOG_LEVELS } from '#runtime/logger.js';

const MIN_SESSION_SECRET_CHARACTERS = 32;

const isOrigin = (value: string) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

const GatewaySettings = z.object({
  HOLDLINE_HTTP_RATE_LIMIT: integerSetting({ min: 1, max: 10_000_000 }).prefault('6000'),
  HOLDLINE_PUBLIC_URL: z.string().refine(isOrigin, 'must be a URL that begins with http:// or https://').optional(),
  HOLDLINE_SESSION_SECRET: z
    .string()
    .min(MIN_SESSION_SECRET_CHARACTERS, `must have at least ${MIN_SESSION_SECRET_CHARACTERS} characters`)
    .optional(),
});

const Settings = GatewaySettings.extend({
  NATS_URL: brokerSetting(),
  HOLDLINE_HTTP_HOST: z.string().prefault('127.0.0.1'),
  HOLDLINE_HTTP_PORT: integerSetting({ min: 0, max: 65_535 }).prefault('8080'),
  HOLDLINE_LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).prefault('info'),
});

/** How HTTP is served. */
export interface GatewayConfig {
  /** Requests a minute of one token, and of one address without a token that is known. */
  requestsPerMinute: number;
  /** How browsers reach the gateway, if that is another address than the one it listens on. */
  publicUrl: URL | undefined;
  /** What sessions are sealed with; the same for all gateways of an installation. A random one if absent. */
  sessionSecret: string | undefined;
}

/** Settings of the gateway as a process of its own. */
export interface GatewayProcessConfig {
  gateway: GatewayConfig;
  broker: BrokerAddress;
  httpHost: string;
  httpPort: number;
  logLevel: (typeof LOG_LEVELS)[number];
}

/** @throws ConfigError in one sentence a setting */
export function readConfig(env: NodeJS.ProcessEnv): GatewayProcessConfig {
  const settings = loadConfig(Settings, env);
  return {
    gateway: gatewayConfig(settings),
    broker: settings.NATS_URL,
    httpHost: settings.HOLDLINE_HTTP_HOST,
    httpPort: settings.HOLDLINE_HTTP_PORT,
    logLevel: settings.HOLDLINE_LOG_LEVEL,
  };
}

/**
 * What does not depend on where broker and port are.
 * @throws ConfigError in one sentence a setting
 */
export function readGatewayConfig(env: NodeJS.ProcessEnv): GatewayConfig {
  return gatewayConfig(loadConfig(GatewaySettings, env));
}

function gatewayConfig(settings: z.infer<typeof GatewaySettings>): GatewayConfig {
  return {
    requestsPerMinute: settings.HOLDLINE_HTTP_RATE_LIMIT,
    publicUrl: settings.HOLDLINE_PUBLIC_URL === undefined ? undefined : new URL(settings.HOLDLINE_PUBLIC_URL),
    sessionSecret: settings.HOLDLINE_SESSION_SECRET,
  };
}
