import type { Transaction } from '../../transaction.js';
import { CUTOFF_MS, isStillToPublish, type Removal, type Removed, repeatWhileFull } from './removal.js';

/** Agent by agent, because the index of events is by agent and time. */
const REMOVE_OLD_EVENTS = {
  name: 'remove-old-events',
  text: `
    WITH RECURSIVE agents AS (
      (SELECT agent_id FROM events ORDER BY agent_id LIMIT 1)
      UNION ALL
      SELECT next.agent_id FROM agents CROSS JOIN LATERAL (
        SELECT agent_id FROM events WHERE agent_id > agents.agent_id ORDER BY agent_id LIMIT 1
      ) AS next
    ), old AS MATERIALIZED (
      SELECT e.event_id FROM agents CROSS JOIN LATERAL (
        SELECT event_id FROM events WHERE agent_id = agents.agent_id AND at_ms < ${CUTOFF_MS} ORDER BY at_ms LIMIT $2
      ) AS e
      LIMIT $2
    )
    DELETE FROM events WHERE event_id IN (SELECT event_id FROM old)`,
};

/** Removes the oldest events from the log; the streams have an age of their own. */
export async function removeOldEvents(tx: Transaction, removal: Removal): Promise<Removed> {
  if (await isStillToPublish(tx, removal.days)) return { rows: 0, next: undefined };
  return repeatWhileFull(await tx.affected(REMOVE_OLD_EVENTS, [removal.days, removal.limit]), removal);
}
