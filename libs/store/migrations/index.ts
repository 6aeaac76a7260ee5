import { Conversations1764460800000 } from './0001-conversations.js';
import { AgentTurns1764720000000 } from './0004-agent-turns.js';

/** Every migration, oldest first. A listed one is never edited: add another. */
export const MIGRATIONS = [Conversations1764460800000, AgentTurns1764720000000];
