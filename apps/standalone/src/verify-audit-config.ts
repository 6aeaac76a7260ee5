import { resolve } from 'node:path';

import type { ChainPlace } from '#domain/audit/chain-check.js';
import { ConfigError, loadConfig, urlSetting } from '#runtime/config.js';
import { z } from 'zod';

const Settings = z.object({
  DATABASE_URL: urlSetting('postgres', 'postgresql').optional(),
  HOLDLINE_DATA_DIR: z.string().prefault('.holdline'),
});

const KEPT = /^(\d{1,15}):([0-9a-f]{64})$/;

/** Which audit log to verify. */
export interface VerifyConfig {
  /** Undefined for the database of `dataDirectory`. */
  databaseUrl: string | undefined;
  /** Absolute. */
  dataDirectory: string;
  /** What an earlier verification has printed. */
  kept: ChainPlace | undefined;
}

/**
 * @param args what follows the script's name: nothing, or `<position>:<hash>`
 * @throws ConfigError in one sentence
 */
export function readVerifyConfig(env: NodeJS.ProcessEnv, args: string[]): VerifyConfig {
  const settings = loadConfig(Settings, env);
  return {
    databaseUrl: settings.DATABASE_URL,
    dataDirectory: resolve(settings.HOLDLINE_DATA_DIR),
    kept: args.length === 0 ? undefined : readPlace(args),
  };
}

function readPlace(args: string[]): ChainPlace {
  const [, position, hash] = KEPT.exec(args.join(' ')) ?? [];
  if (position === undefined || hash === undefined) {
    throw new ConfigError('The only argument is a place that was printed before, as <position>:<hash>.');
  }
  return { position: Number(position), hash: Buffer.from(hash, 'hex') };
}
