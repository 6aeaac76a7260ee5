/** How fast the playground's people and agent are, in milliseconds; a pair is the shortest and the longest time. */
export interface Pace {
  /** From the start to a contact's first message. */
  firstMessage: readonly [number, number];
  /** From one message of a contact to the next. */
  nextMessage: readonly [number, number];
  /** From a turn to the agent's answer. */
  answer: readonly [number, number];
}

/** Two to five messages a minute of each contact, the first within two seconds. */
export const DEMO_PACE: Pace = {
  firstMessage: [200, 1_800],
  nextMessage: [12_000, 30_000],
  answer: [1_000, 4_000],
};
