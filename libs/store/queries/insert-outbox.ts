import { texts, uuids } from '../columns.js';
import type { Transaction } from '../transaction.js';

export type OutboxKind = 'turn' | 'hold' | 'event' | 'quarantine';

/** What leaves after the commit: a message, or a reference to an event of the log. */
export type NewOutboxRow = NewMessage | NewEventReference;

interface NewRow {
  /** Rows of one key are published in the order of their insertion: the conversation's key, or `SYSTEM_ORDERING_KEY`. */
  orderingKey: string;
  kind: OutboxKind;
}

export interface NewMessage extends NewRow {
  subject: string;
  msgId: string;
  /** JSON text; null where `raw` holds the bytes. */
  payload: string | null;
  raw?: Uint8Array;
  headers?: Record<string, string>;
  /** What a resume turn answers. */
  inboundIds?: string[];
}

export interface NewEventReference extends NewRow {
  eventId: string;
}

/** The key of what belongs to no conversation. */
export const SYSTEM_ORDERING_KEY = '00000000-0000-0000-0000-000000000000';

const INSERT_MESSAGES = {
  name: 'insert-outbox-messages',
  text: `
    INSERT INTO outbox (ordering_key, kind, event_id, subject, msg_id, payload, raw, headers, inbound_ids)
    SELECT ordering_key, kind, event_id, subject, msg_id, payload, raw, headers, inbound_ids::uuid[]
    FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::text[],
        $9::text[])
      WITH ORDINALITY AS r (ordering_key, kind, event_id, subject, msg_id, payload, raw, headers, inbound_ids, position)
    ORDER BY position`,
};

const INSERT_REFERENCES = {
  name: 'insert-outbox-references',
  text: `
    INSERT INTO outbox (ordering_key, kind, event_id)
    SELECT ordering_key, kind, event_id
    FROM unnest($1::uuid[], $2::text[], $3::uuid[]) WITH ORDINALITY AS r (ordering_key, kind, event_id, position)
    ORDER BY position`,
};

/** Adds messages to be published once this transaction has committed, in the order given. */
export async function insertOutbox(tx: Transaction, rows: NewOutboxRow[]): Promise<void> {
  if (rows.length === 0) return;
  const places = [
    uuids(rows, (row) => row.orderingKey),
    texts(rows, (row) => row.kind),
    uuids(rows, (row) => ('eventId' in row ? row.eventId : null)),
  ];
  if (rows.every((row) => 'eventId' in row)) {
    await tx.rows(INSERT_REFERENCES, places);
    return;
  }
  const messages = rows.map((row) => ('eventId' in row ? undefined : row));
  await tx.rows(INSERT_MESSAGES, [
    ...places,
    texts(messages, (row) => row?.subject ?? null),
    texts(messages, (row) => row?.msgId ?? null),
    texts(messages, (row) => row?.payload ?? null),
    messages.map((row) => (row?.raw === undefined ? null : Buffer.from(row.raw))),
    texts(messages, (row) => (row?.headers === undefined ? null : JSON.stringify(row.headers))),
    texts(messages, (row) => (row?.inboundIds === undefined ? null : `{${row.inboundIds.join(',')}}`)),
  ]);
}
