import type { Reader } from '../read.js';

/** What the record says about all processes together. Ages are in milliseconds; absent where there is nothing. */
export interface StoredFigures {
  bufferDepth: number;
  pausedConversations: number;
  oldestPauseAgeMs?: number;
  openEscalations: number;
  /** Open ones that have raised an alarm. */
  overdueEscalations: number;
  outboxRows: number;
  oldestOutboxRowAgeMs?: number;
}

const READ_FIGURES = {
  name: 'read-figures',
  text: `
    SELECT paused.count AS paused, paused.depth, paused.oldest_age_ms AS oldest_pause_ms,
      escalated.count AS escalations, escalated.overdue, waiting.count AS outbox, waiting.oldest_age_ms AS oldest_outbox_ms
    FROM (
      SELECT count(*) AS count, coalesce(sum(taken_back + buffer_tail - buffer_head), 0) AS depth,
        extract(epoch FROM clock_timestamp()) * 1000 - min(paused_at_ms) AS oldest_age_ms
      FROM conversations WHERE state = 'paused_by_operator'
    ) AS paused, (
      SELECT count(*) AS count, count(*) FILTER (WHERE alarms > 0) AS overdue
      FROM escalations WHERE resolved_at_ms IS NULL
    ) AS escalated, (
      SELECT count(*) AS count, extract(epoch FROM clock_timestamp() - min(created_at)) * 1000 AS oldest_age_ms
      FROM outbox
    ) AS waiting`,
};

const COUNT_OWNED_PARTITIONS = {
  name: 'count-owned-partitions',
  text: 'SELECT count(*)::int AS owned FROM partitions WHERE partition < $1 AND lease_until > clock_timestamp()',
};

interface Row {
  paused: string;
  depth: string;
  escalations: string;
  overdue: string;
  oldest_pause_ms: string | null;
  outbox: string;
  oldest_outbox_ms: string | null;
}

/** Is anyone waiting, is anything stuck: for the metrics. */
export async function readFigures(reader: Reader): Promise<StoredFigures> {
  const [row] = await reader.rows<Row>(READ_FIGURES);
  if (row === undefined) throw new Error('an aggregate gives one row');
  return {
    bufferDepth: Number(row.depth),
    pausedConversations: Number(row.paused),
    ...(row.oldest_pause_ms === null ? {} : { oldestPauseAgeMs: Number(row.oldest_pause_ms) }),
    openEscalations: Number(row.escalations),
    overdueEscalations: Number(row.overdue),
    outboxRows: Number(row.outbox),
    ...(row.oldest_outbox_ms === null ? {} : { oldestOutboxRowAgeMs: Number(row.oldest_outbox_ms) }),
  };
}

/** How many of the first `partitions` partitions have an owner now. */
export async function countOwnedPartitions(reader: Reader, partitions: number): Promise<number> {
  const [row] = await reader.rows<{ owned: number }>(COUNT_OWNED_PARTITIONS, [partitions]);
  return row?.owned ?? 0;
}
