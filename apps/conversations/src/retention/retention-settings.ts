import { z } from 'zod';

import { EVICTED_RETENTION_MS } from '#contracts/limits.js';

/** Ages in days, after which things are removed; 0 keeps them for ever. */
export interface RetentionAges {
  transcripts: number;
  events: number;
  evicted: number;
  drafts: number;
  outbounds: number;
  escalations: number;
  unpublishable: number;
  audit: number;
}

const MAX_DAYS = 36_500;
const EVICTED_DAYS = EVICTED_RETENTION_MS / 86_400_000;

function daysSetting(fallback: number, least = 1) {
  const message = `must be a whole number of days from ${least} to ${MAX_DAYS}, or 0 or off to keep everything`;
  return z
    .string()
    .regex(/^(\d{1,5}|off)$/, message)
    .transform((value) => (value === 'off' ? 0 : Number(value)))
    .refine((days) => days === 0 || (days >= least && days <= MAX_DAYS), message)
    .prefault(String(fallback));
}

/** Transcripts and the audit log are the record: they are kept unless an age is given. */
export const RETENTION_SETTINGS = {
  HOLDLINE_RETENTION_TRANSCRIPTS_DAYS: daysSetting(0),
  HOLDLINE_RETENTION_EVENTS_DAYS: daysSetting(90),
  HOLDLINE_RETENTION_EVICTED_DAYS: daysSetting(EVICTED_DAYS, EVICTED_DAYS),
  HOLDLINE_RETENTION_DRAFTS_DAYS: daysSetting(90),
  HOLDLINE_RETENTION_OUTBOUNDS_DAYS: daysSetting(90),
  HOLDLINE_RETENTION_ESCALATIONS_DAYS: daysSetting(90),
  HOLDLINE_RETENTION_UNPUBLISHABLE_DAYS: daysSetting(90),
  HOLDLINE_RETENTION_AUDIT_DAYS: daysSetting(0),
};

type Settings = { [Name in keyof typeof RETENTION_SETTINGS]: number };

export function retentionAges(settings: Settings): RetentionAges {
  return {
    transcripts: settings.HOLDLINE_RETENTION_TRANSCRIPTS_DAYS,
    events: settings.HOLDLINE_RETENTION_EVENTS_DAYS,
    evicted: settings.HOLDLINE_RETENTION_EVICTED_DAYS,
    drafts: settings.HOLDLINE_RETENTION_DRAFTS_DAYS,
    outbounds: settings.HOLDLINE_RETENTION_OUTBOUNDS_DAYS,
    escalations: settings.HOLDLINE_RETENTION_ESCALATIONS_DAYS,
    unpublishable: settings.HOLDLINE_RETENTION_UNPUBLISHABLE_DAYS,
    audit: settings.HOLDLINE_RETENTION_AUDIT_DAYS,
  };
}
