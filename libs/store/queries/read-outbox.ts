import { uuids } from '../columns.js';
import type { Transaction } from '../transaction.js';
import type { OutboxKind } from './insert-outbox.js';

/** Finds a row again within the transaction that read it. */
export interface OutboxPlace {
  ctid: string;
}

/** A message as it will be sent. */
export interface StoredMessage {
  subject: string;
  msgId: string;
  payload: string | null;
  raw: Buffer | null;
  headers: Record<string, string> | null;
}

export interface OutboxRow extends OutboxPlace {
  id: string;
  orderingKey: string;
  kind: OutboxKind;
  /** The message itself, or what it is made from: an inbound (its turn and the event of its line), or a logged event. */
  holds: { message: StoredMessage } | { inboundId: string } | { eventId: string };
  createdAtMs: number;
}

interface Row {
  ctid: string;
  id: string;
  ordering_key: string;
  kind: OutboxKind;
  inbound_id: string | null;
  event_id: string | null;
  subject: string;
  msg_id: string;
  payload: string | null;
  raw: Buffer | null;
  headers: string | null;
  created_at_ms: number;
}

const READ_OUTBOX = {
  name: 'read-outbox',
  text: `
    SELECT o.ctid, o.id, o.ordering_key, o.kind, o.inbound_id, o.event_id, o.subject, o.msg_id, o.payload, o.raw, o.headers,
      extract(epoch FROM o.created_at)::float8 * 1000 AS created_at_ms
    FROM unnest($1::uuid[]) AS k
    CROSS JOIN LATERAL (SELECT ctid, * FROM outbox WHERE ordering_key = k ORDER BY id LIMIT $2) AS o`,
};

/** The oldest rows of each key, at most `perKey` of one key; those of one key in the order of publication. */
export async function readOutbox(tx: Transaction, orderingKeys: string[], perKey: number): Promise<OutboxRow[]> {
  const rows = await tx.rows<Row>(READ_OUTBOX, [uuids(orderingKeys, (key) => key), perKey]);
  return rows.map((row) => ({
    ctid: row.ctid,
    id: row.id,
    orderingKey: row.ordering_key,
    kind: row.kind,
    holds: held(row),
    createdAtMs: row.created_at_ms,
  }));
}

function held(row: Row): OutboxRow['holds'] {
  if (row.inbound_id !== null) return { inboundId: row.inbound_id };
  if (row.event_id !== null) return { eventId: row.event_id };
  const headers = row.headers === null ? null : (JSON.parse(row.headers) as Record<string, string>);
  return { message: { subject: row.subject, msgId: row.msg_id, payload: row.payload, raw: row.raw, headers } };
}
