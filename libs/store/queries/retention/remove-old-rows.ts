import { CUTOFF_MS, type RemoveOld, repeatWhileFull } from './removal.js';

/** Removes the oldest rows of a table, those that nobody has locked. */
function removeOldRows(table: string, key: string, time: string, condition: string): RemoveOld {
  const statement = {
    name: `remove-old-${table}`,
    text: `
      DELETE FROM ${table} WHERE ${key} IN (
        SELECT ${key} FROM ${table} WHERE ${condition} ORDER BY ${time} LIMIT $2 FOR UPDATE SKIP LOCKED)`,
  };
  return async (tx, removal) => repeatWhileFull(await tx.affected(statement, [removal.days, removal.limit]), removal);
}

/** Replies of agents that were kept back, whether anybody has sent or discarded them or not. */
export const removeOldDrafts = removeOldRows('drafts', 'draft_id', 'created_at_ms', `created_at_ms < ${CUTOFF_MS}`);

/** What became of messages to channels; those that are under way stay. */
export const removeOldOutbounds = removeOldRows(
  'outbounds',
  'outbound_id',
  'created_at_ms',
  `created_at_ms < ${CUTOFF_MS} AND status NOT IN ('sending', 'handed_over')`,
);

/** Escalations since they were resolved; those that wait stay. */
export const removeOldEscalations = removeOldRows(
  'escalations',
  'escalation_id',
  'resolved_at_ms',
  `resolved_at_ms < ${CUTOFF_MS}`,
);

/** Messages that the broker would never take. */
export const removeOldUnpublishable = removeOldRows(
  'unpublishable',
  'outbox_id',
  'refused_at',
  `refused_at < clock_timestamp() - $1::int * interval '1 day'`,
);
