import type { Reader } from '../read.js';

/** How far one partition has been stored, and of which stream. */
export interface PartitionCursor {
  partition: number;
  cursor: number;
  /** When the stream was created that the cursor belongs to; null before it was ever read. */
  streamCreated: string | null;
}

const READ_CURSORS = {
  name: 'read-cursors',
  text: 'SELECT partition, cursor, stream_created FROM partitions WHERE partition < $1',
};

/** The cursors of the first `partitions` partitions; others are left from a time with more of them. */
export async function readCursors(reader: Reader, partitions: number): Promise<PartitionCursor[]> {
  const rows = await reader.rows<{ partition: number; cursor: string; stream_created: string | null }>(READ_CURSORS, [
    partitions,
  ]);
  return rows.map((row) => ({
    partition: row.partition,
    cursor: Number(row.cursor),
    streamCreated: row.stream_created,
  }));
}
