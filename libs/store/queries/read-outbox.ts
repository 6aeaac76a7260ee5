import type { Transaction } from '../transaction.js';
import type { OutboxKind, StampedBy } from './insert-outbox.js';

export interface OutboxRow {
  id: string;
  orderingKey: string;
  kind: OutboxKind;
  subject: string;
  msgId: string;
  payload: string | null;
  raw: Buffer | null;
  headers: Record<string, string> | null;
  /** The row of an inbound's turn carries the event of its line. */
  stamped: StampedBy | null;
  createdAtMs: number;
}

interface Row {
  id: string;
  ordering_key: string;
  kind: OutboxKind;
  subject: string;
  msg_id: string;
  payload: string | null;
  raw: Buffer | null;
  headers: string | null;
  event_id: string | null;
  entry_seq: string | null;
  created_at_ms: number;
}

const READ_OUTBOX = {
  name: 'read-outbox',
  text: `
    SELECT o.id, o.ordering_key, o.kind, o.subject, o.msg_id, o.payload, o.raw, o.headers, o.event_id,
      o.entry_seq,
      extract(epoch FROM o.created_at)::float8 * 1000 AS created_at_ms
    FROM unnest($1::uuid[]) AS k
    CROSS JOIN LATERAL (SELECT * FROM outbox WHERE ordering_key = k ORDER BY id LIMIT $2) AS o`,
};

/** The oldest rows of each key, at most `perKey` of one key; those of one key in the order of publication. */
export async function readOutbox(tx: Transaction, orderingKeys: string[], perKey: number): Promise<OutboxRow[]> {
  const rows = await tx.rows<Row>(READ_OUTBOX, [orderingKeys, perKey]);
  return rows.map((row) => ({
    id: row.id,
    orderingKey: row.ordering_key,
    kind: row.kind,
    subject: row.subject,
    msgId: row.msg_id,
    payload: row.payload,
    raw: row.raw,
    headers: row.headers === null ? null : (JSON.parse(row.headers) as Record<string, string>),
    stamped: row.event_id === null ? null : { eventId: row.event_id, seq: Number(row.entry_seq) },
    createdAtMs: row.created_at_ms,
  }));
}
