import { texts, uuids } from '../columns.js';
import type { Transaction } from '../transaction.js';

export type OutboxKind = 'turn' | 'hold' | 'event' | 'quarantine';

/** A message that leaves after the commit. */
export interface NewOutboxRow {
  /** Rows of one key are published in the order of their insertion: the conversation's key, or `SYSTEM_ORDERING_KEY`. */
  orderingKey: string;
  kind: OutboxKind;
  subject: string;
  msgId: string;
  /** JSON text; null where `raw` holds the bytes. */
  payload: string | null;
  raw?: Uint8Array;
  headers?: Record<string, string>;
  /** What a resume turn answers. */
  inboundIds?: string[];
}

/** The key of what belongs to no conversation. */
export const SYSTEM_ORDERING_KEY = '00000000-0000-0000-0000-000000000000';

const INSERT_OUTBOX = {
  name: 'insert-outbox',
  text: `
    INSERT INTO outbox (ordering_key, kind, subject, msg_id, payload, raw, headers, inbound_ids)
    SELECT ordering_key, kind, subject, msg_id, payload, raw, headers, inbound_ids::uuid[]
    FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bytea[], $7::text[], $8::text[])
      WITH ORDINALITY AS r (ordering_key, kind, subject, msg_id, payload, raw, headers, inbound_ids, position)
    ORDER BY position`,
};

/** Adds messages to be published once this transaction has committed, in the order given. */
export async function insertOutbox(tx: Transaction, rows: NewOutboxRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.rows(INSERT_OUTBOX, [
    uuids(rows, (row) => row.orderingKey),
    texts(rows, (row) => row.kind),
    texts(rows, (row) => row.subject),
    texts(rows, (row) => row.msgId),
    texts(rows, (row) => row.payload),
    rows.map((row) => (row.raw === undefined ? null : Buffer.from(row.raw))),
    texts(rows, (row) => (row.headers === undefined ? null : JSON.stringify(row.headers))),
    texts(rows, (row) => (row.inboundIds === undefined ? null : `{${row.inboundIds.join(',')}}`)),
  ]);
}
