import { uuids } from '../columns.js';
import type { Transaction } from '../transaction.js';
import type { StoredEvent } from './insert-events.js';

const READ_LOGGED_EVENTS = {
  name: 'read-logged-events',
  text: 'SELECT event_id, agent_id, kind, at_ms, payload FROM events WHERE event_id = ANY($1::uuid[])',
};

/** Events of the log by their ids, in any order. */
export async function readLoggedEvents(tx: Transaction, eventIds: string[]): Promise<StoredEvent[]> {
  if (eventIds.length === 0) return [];
  const rows = await tx.rows<{ event_id: string; agent_id: string; kind: string; at_ms: string; payload: string }>(
    READ_LOGGED_EVENTS,
    [uuids(eventIds, (id) => id)],
  );
  return rows.map((row) => ({
    eventId: row.event_id,
    agentId: row.agent_id,
    kind: row.kind,
    atMs: Number(row.at_ms),
    payload: row.payload,
  }));
}
