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
    events.map((each) => each.eventId),
    events.map((each) => each.agentId),
    events.map((each) => each.kind),
    events.map((each) => each.atMs),
    events.map((each) => each.payload),
  ]);
}
