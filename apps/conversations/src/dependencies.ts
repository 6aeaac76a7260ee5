import type { CommandDependencies } from './commands/command-dependencies.js';
import type { OutboundDependencies } from './outbound/outbound-dependencies.js';

export interface EscalationSettings {
  /** What the contact is told once the agent has asked for a person; undefined: nothing. */
  ackText: string | undefined;
  /** An escalation that nobody takes is told of after this time, and after 3 and 10 times as long; 0: never. */
  alarmAfterMs: number;
}

/** What a handler is given. */
export interface Dependencies extends CommandDependencies, OutboundDependencies {
  /** Inbounds kept for one paused conversation. */
  pendingQueueCap: number;
  /** A resume asks again what the agent was asked and nobody has answered. */
  openTurns: boolean;
  /** Only the holder of a conversation may answer in it. */
  exclusiveReplies: boolean;
  /** An answer beside Holdline puts the agent on hold. */
  autoPauseOnExternalReply: boolean;
  escalations: EscalationSettings;
  /** Epoch milliseconds. Decisions use the database's clock; this one only marks activity. */
  now: () => number;
}

/** Under which Nest gives them to the controller. */
export const DEPENDENCIES = Symbol('dependencies');
