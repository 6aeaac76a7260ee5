import { readFileSync } from 'node:fs';

import { z } from 'zod';

import { DEFAULT_CHANNEL_TIMEOUT_MS, DEFAULT_PENDING_QUEUE_CAP } from '#contracts/limits.js';
import { parseRedactionRules, type RedactionRules } from '#domain/redaction/redaction-rules.js';
import {
  type BrokerAddress,
  brokerSetting,
  ConfigError,
  integerSetting,
  loadConfig,
  urlSetting,
} from '#runtime/config.js';
import { LOG_LEVELS } from '#runtime/logger.js';

import type { EscalationSettings } from './dependencies.js';
import { RETENTION_SETTINGS, type RetentionAges, retentionAges } from './retention/retention-settings.js';

const onOff = () => z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on');

const MAX_ALARM_AFTER_MS = 7 * 24 * 3_600_000;
const MAX_ACK_CHARACTERS = 4_096;

const Settings = z.object({
  DATABASE_URL: urlSetting('postgres', 'postgresql'),
  NATS_URL: brokerSetting(),
  HOLDLINE_ADMIN_AUTH: z.enum(['token', 'trusted'], 'must be token or trusted').prefault('token'),
  HOLDLINE_AUTO_PAUSE_ON_EXTERNAL_REPLY: onOff().prefault('on'),
  HOLDLINE_CHANNEL_TIMEOUT_MS: integerSetting({ min: 100, max: 60_000 }).prefault(String(DEFAULT_CHANNEL_TIMEOUT_MS)),
  HOLDLINE_ESCALATION_ACK_TEXT: ackText().optional(),
  HOLDLINE_ESCALATION_ALARM_AFTER_MS: integerSetting({ min: 0, max: MAX_ALARM_AFTER_MS }).prefault('300000'),
  HOLDLINE_EXCLUSIVE_REPLIES: onOff().prefault('on'),
  HOLDLINE_HTTP_HOST: z.string().prefault('127.0.0.1'),
  HOLDLINE_HTTP_PORT: integerSetting({ min: 0, max: 65_535 }).prefault('8080'),
  HOLDLINE_LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).prefault('info'),
  HOLDLINE_OPEN_TURNS: z.enum(['on', 'off'], 'must be on or off').prefault('on'),
  HOLDLINE_PARTITIONS: integerSetting({ min: 1, max: 64 }).prefault('1'),
  HOLDLINE_REDACTION_RULES: z.string().optional(),
  ...RETENTION_SETTINGS,
  NEXO_PROCESSING_PENDING_QUEUE_CAP: integerSetting({ min: 0, max: 100_000 }).prefault(
    String(DEFAULT_PENDING_QUEUE_CAP),
  ),
});

/** Settings of the process that writes conversations. */
export interface ConversationsConfig {
  databaseUrl: string;
  broker: BrokerAddress;
  /** `trusted`: the broker's own accounts guard the commands, and no token is asked for. */
  adminAuth: 'token' | 'trusted';
  /** Only the holder of a conversation may answer in it. */
  exclusiveReplies: boolean;
  /** An answer beside Holdline puts the agent on hold. */
  autoPauseOnExternalReply: boolean;
  /** How long a channel may take to acknowledge a message. */
  channelTimeoutMs: number;
  partitions: number;
  /** Inbounds kept for one paused conversation. */
  pendingQueueCap: number;
  /** False for agents that answer by a way of their own, so that no answer of theirs is known. */
  openTurns: boolean;
  escalations: EscalationSettings;
  retention: RetentionAges;
  /** Rules on top of the built-in ones. */
  redactionRules: RedactionRules | undefined;
}

/** @throws ConfigError in one sentence a setting */
export function readConfig(env: NodeJS.ProcessEnv) {
  const settings = loadConfig(Settings, env);
  return {
    httpHost: settings.HOLDLINE_HTTP_HOST,
    httpPort: settings.HOLDLINE_HTTP_PORT,
    logLevel: settings.HOLDLINE_LOG_LEVEL,
    conversations: conversationsConfig(settings),
  };
}

/** The same settings for a process that has found its database and broker by itself. */
export function readConversationsConfig(
  env: NodeJS.ProcessEnv,
  servers: { databaseUrl: string; natsUrl: string },
): ConversationsConfig {
  return readConfig({ ...env, DATABASE_URL: servers.databaseUrl, NATS_URL: servers.natsUrl }).conversations;
}

function conversationsConfig(settings: z.infer<typeof Settings>): ConversationsConfig {
  return {
    databaseUrl: settings.DATABASE_URL,
    broker: settings.NATS_URL,
    adminAuth: settings.HOLDLINE_ADMIN_AUTH,
    exclusiveReplies: settings.HOLDLINE_EXCLUSIVE_REPLIES,
    autoPauseOnExternalReply: settings.HOLDLINE_AUTO_PAUSE_ON_EXTERNAL_REPLY,
    channelTimeoutMs: settings.HOLDLINE_CHANNEL_TIMEOUT_MS,
    partitions: settings.HOLDLINE_PARTITIONS,
    pendingQueueCap: settings.NEXO_PROCESSING_PENDING_QUEUE_CAP,
    escalations: {
      ackText: settings.HOLDLINE_ESCALATION_ACK_TEXT,
      alarmAfterMs: settings.HOLDLINE_ESCALATION_ALARM_AFTER_MS,
    },
    openTurns: settings.HOLDLINE_OPEN_TURNS === 'on',
    retention: retentionAges(settings),
    redactionRules:
      settings.HOLDLINE_REDACTION_RULES === undefined ? undefined : readRules(settings.HOLDLINE_REDACTION_RULES),
  };
}

function ackText() {
  const detail = `must be 1 to ${MAX_ACK_CHARACTERS} characters that are not all white space`;
  return z.string().refine((text) => text.trim() !== '' && text.length <= MAX_ACK_CHARACTERS, detail);
}

function readRules(file: string): RedactionRules {
  try {
    return parseRedactionRules(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`HOLDLINE_REDACTION_RULES names a file that cannot be used: ${(error as Error).message}`);
  }
}
