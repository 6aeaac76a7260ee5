import { randomBytes, randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';

import { ALL_CAPABILITIES } from '#contracts/capabilities.js';
import { tokenHash } from '#domain/operators/token-hash.js';

import { OperatorRow } from './entities/operator-row.js';
import { insertAuditRow } from './queries/insert-audit-row.js';
import { insertOperator } from './queries/insert-operator.js';
import { lockOperators } from './queries/lock-operators.js';
import { type Transaction, withTransaction } from './transaction.js';

const TOKEN_BYTES = 32;
const BEARER_TOKEN = /^[\x21-\x7e]+$/;

/** A fresh bearer token of 256 random bits, in characters that every header and URL carries as they are. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/**
 * Sees to it that somebody can command: the holder of `bootstrapToken`, with all capabilities, or, where none is given
 * and no operator was ever made, one with a fresh token. Safe to call from several processes at once and at every
 * start: an operator that is there already keeps their name, capabilities and revocation.
 * @returns the fresh token, to be shown this once; undefined if none had to be made
 * @throws Error if the given token could not be sent in an `Authorization` header
 */
export async function ensureFirstOperator(
  dataSource: DataSource,
  { bootstrapToken }: { bootstrapToken?: string | undefined } = {},
): Promise<string | undefined> {
  if (bootstrapToken && !BEARER_TOKEN.test(bootstrapToken)) {
    throw new Error('HOLDLINE_BOOTSTRAP_TOKEN may hold visible ASCII characters only, so that it fits a header.');
  }
  return withTransaction(dataSource, async (tx) => {
    const createdAtMs = await lockOperators(tx);
    if (!bootstrapToken && (await tx.manager.exists(OperatorRow))) return undefined;
    const token = bootstrapToken || newToken();
    const made = await insertOperator(tx, {
      token,
      name: bootstrapToken ? 'bootstrap' : 'first operator',
      capabilities: ALL_CAPABILITIES,
      createdAtMs,
    });
    if (made) await auditSetup(tx, tokenHash(token));
    return bootstrapToken ? undefined : token;
  });
}

/** Nobody has asked for this operator by a command, and the audit log tells of it all the same. */
function auditSetup(tx: Transaction, hash: string): Promise<void> {
  return insertAuditRow(tx, {
    operator: 'system',
    method: 'nexo/admin/operators/create',
    outcome: 'ok',
    changed: true,
    reason: `operator:${hash}`,
    correlationId: randomUUID(),
    paramsSha256: '',
  });
}
