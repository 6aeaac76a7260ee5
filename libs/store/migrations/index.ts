import { Conversations1764460800000 } from './0001-conversations.js';
import { LeanInbounds1764547200000 } from './0002-lean-inbounds.js';
import { Outbounds1764633600000 } from './0003-outbounds.js';
import { AgentTurns1764720000000 } from './0004-agent-turns.js';
import { AuditAndRetention1764806400000 } from './0005-audit-and-retention.js';
import { Escalations1764892800000 } from './0006-escalations.js';
import { EventReferences1764979200000 } from './0007-event-references.js';

/** Every migration, oldest first. A listed one is never edited: add another. */
export const MIGRATIONS = [
  Conversations1764460800000,
  LeanInbounds1764547200000,
  Outbounds1764633600000,
  AgentTurns1764720000000,
  AuditAndRetention1764806400000,
  Escalations1764892800000,
  EventReferences1764979200000,
];
