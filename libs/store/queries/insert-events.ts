import { bigints, texts, uuids } from '../columns.js';
import type { Transaction } from '../transaction.js';

export interface StoredEvent {
  eventId: string;
  agentId: string;
  kind: string;
  atMs: number;
  /** The event as JSON. */
  payload: string;
}

const INSERT_EVENTS = {
  name: 'insert-events',
  text: `
    INSERT INTO events (event_id, agent_id, kind, at_ms, payload)
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::text[])`,
};

/** Adds to the log of events. Appended lines of a transcript are not here: `entries` is their log. */
export async function insertEvents(tx: Transaction, events: StoredEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.rows(INSERT_EVENTS, [
    uuids(events, (each) => each.eventId),
    texts(events, (each) => each.agentId),
    texts(events, (each) => each.kind),
    bigints(events, (each) => each.atMs),
    texts(events, (each) => each.payload),
  ]);
}
