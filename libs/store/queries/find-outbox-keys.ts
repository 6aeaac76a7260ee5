import type { Reader } from '../read.js';

const FIND_OUTBOX_KEYS = {
  name: 'find-outbox-keys',
  text: 'SELECT DISTINCT ordering_key FROM (SELECT ordering_key FROM outbox LIMIT $1) AS waiting',
};

/** Keys that have rows to publish, found among at most `rows` rows. */
export async function findOutboxKeys(reader: Reader, rows: number): Promise<string[]> {
  const found = await reader.rows<{ ordering_key: string }>(FIND_OUTBOX_KEYS, [rows]);
  return found.map((row) => row.ordering_key);
}
