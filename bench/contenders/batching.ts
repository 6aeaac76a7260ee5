/** How many messages a round has, and how many are handed over at once. */
export interface Batching {
  messages: number;
  batchSize: number;
}

/** Times `work`, which handles `messages` messages. */
export async function messagesPerSecond(messages: number, work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (messages * 1_000) / (performance.now() - startedAt);
}
