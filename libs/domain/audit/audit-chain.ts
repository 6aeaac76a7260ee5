import { createHash } from 'node:crypto';

/** A row of the audit log as it is stored, numbers and flags in the text that the database shows. */
export interface ChainedRow {
  position: string;
  id: string;
  atMs: string;
  operator: string;
  method: string;
  scope: string | null;
  agentId: string | null;
  outcome: string;
  changed: 'true' | 'false';
  reason: string | null;
  correlationId: string;
  paramsSha256: string;
}

/** What the first row of a chain follows. */
export const CHAIN_START = createHash('sha256').digest();

/**
 * SHA-256 over the hash of the row before and the row's fields, each as its length in bytes (32 bits, big-endian; -1
 * for none) and its UTF-8. The database does the same in `audit_row_hash`.
 */
export function auditRowHash(previous: Uint8Array, row: ChainedRow): Buffer {
  const hash = createHash('sha256').update(previous);
  for (const field of [
    row.position,
    row.id,
    row.atMs,
    row.operator,
    row.method,
    row.scope,
    row.agentId,
    row.outcome,
    row.changed,
    row.reason,
    row.correlationId,
    row.paramsSha256,
  ]) {
    const bytes = field === null ? undefined : Buffer.from(field, 'utf8');
    const length = Buffer.alloc(4);
    length.writeInt32BE(bytes?.length ?? -1);
    hash.update(length);
    if (bytes !== undefined) hash.update(bytes);
  }
  return hash.digest();
}
