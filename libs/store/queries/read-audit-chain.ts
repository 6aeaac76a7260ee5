import type { ChainedRow } from '#domain/audit/audit-chain.js';
import type { ChainPlace } from '#domain/audit/chain-check.js';

import type { Reader } from '../read.js';

interface Row extends ChainedRow {
  hash: Buffer;
}

const AUDIT_HEAD = { name: 'audit-head', text: 'SELECT position, hash FROM audit_head' };

const NEWEST_REMOVAL = {
  name: 'newest-audit-removal',
  text: `
    SELECT split_part(reason, ':', 2) AS position, decode(params_sha256, 'hex') AS hash
    FROM audit_log WHERE method = 'retention/audit_log' ORDER BY position DESC LIMIT 1`,
};

const READ_CHAIN = {
  name: 'read-audit-chain',
  text: `
    SELECT position, hash, id, at_ms AS "atMs", operator, method, scope, agent_id AS "agentId", outcome,
      changed::text AS changed, reason, correlation_id AS "correlationId", params_sha256 AS "paramsSha256"
    FROM audit_log WHERE (position, id) > ($1::bigint, $2::bigint) ORDER BY position, id LIMIT $3`,
};

const OUTSIDE_OF_CHAIN = {
  name: 'audit-rows-outside-of-chain',
  text: 'SELECT id FROM audit_log WHERE position IS NULL ORDER BY id',
};

/** The newest row of the audit log, as it was noted when that row was added; undefined if the note is gone. */
export async function readAuditHead(reader: Reader): Promise<ChainPlace | undefined> {
  const [row] = await reader.rows<{ position: string; hash: Buffer }>(AUDIT_HEAD);
  return row && { position: Number(row.position), hash: row.hash };
}

/** Up to which row retention has removed the oldest ones; undefined if it never has. */
export async function readNewestAuditRemoval(reader: Reader): Promise<ChainPlace | undefined> {
  const [row] = await reader.rows<{ position: string; hash: Buffer }>(NEWEST_REMOVAL);
  return row && { position: Number(row.position), hash: row.hash };
}

/** Rows of the audit log with their hashes, in the order of the chain, from behind a row on. */
export async function readAuditChain(
  reader: Reader,
  after: Pick<ChainedRow, 'position' | 'id'>,
  limit: number,
): Promise<Row[]> {
  return reader.rows<Row>(READ_CHAIN, [after.position, after.id, limit]);
}

/** Ids of rows that have no place in the chain, which no commit leaves behind. */
export async function readUnchainedAuditRows(reader: Reader): Promise<string[]> {
  return (await reader.rows<{ id: string }>(OUTSIDE_OF_CHAIN)).map(({ id }) => id);
}
