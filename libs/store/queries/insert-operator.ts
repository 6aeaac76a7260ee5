import type { Capability } from '#contracts/capabilities.js';
import { tokenHash, tokenSha256 } from '#domain/operators/token-hash.js';

import { OperatorRow } from '../entities/operator-row.js';
import type { Transaction } from '../transaction.js';

export interface NewOperator {
  token: string;
  name: string;
  capabilities: readonly Capability[];
  createdAtMs: number;
}

/**
 * Stores an operator by the hash of their token.
 * @returns false, with nothing changed, if one with that token's hash is there already, revoked or not
 */
export async function insertOperator(tx: Transaction, operator: NewOperator): Promise<boolean> {
  const inserted = await tx.manager
    .createQueryBuilder()
    .insert()
    .into(OperatorRow)
    .values({
      tokenHash: tokenHash(operator.token),
      tokenSha256: tokenSha256(operator.token),
      name: operator.name,
      capabilities: [...operator.capabilities],
      createdAtMs: operator.createdAtMs,
      revokedAtMs: null,
    })
    .orIgnore()
    .returning('token_hash')
    .execute();
  return (inserted.raw as unknown[]).length > 0;
}
