import { Conversations1764460800000 } from './0001-conversations.js';

/** Every migration, oldest first. A listed one is never edited: add another. */
export const MIGRATIONS = [Conversations1764460800000];
