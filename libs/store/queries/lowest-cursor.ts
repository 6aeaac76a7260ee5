import type { Reader } from '../read.js';

const LOWEST_CURSOR = {
  name: 'lowest-cursor',
  text: 'SELECT min(cursor) AS cursor FROM partitions',
};

/** Up to this sequence everything of the inbound stream is stored, in every partition. */
export async function lowestCursor(reader: Reader): Promise<number> {
  const [row] = await reader.rows<{ cursor: string | null }>(LOWEST_CURSOR);
  return Number(row?.cursor ?? 0);
}
