import { Capability } from '#contracts/capabilities.js';
import { capabilityNotGranted, notFound, unauthenticated } from '#contracts/errors.js';
import type { Operator, OperatorWithToken } from '#contracts/operator.js';
import { tokenHash } from '#domain/operators/token-hash.js';
import { newToken } from '#store/operators.js';
import { findOperator, type StoredOperator } from '#store/queries/find-operator.js';
import { insertOperator } from '#store/queries/insert-operator.js';
import { lockOperators } from '#store/queries/lock-operators.js';
import { type Transaction, withTransaction } from '#store/transaction.js';

import type { CommandContext } from './commands/command-context.js';
import type { CommandDependencies } from './commands/command-dependencies.js';

/**
 * Runs what changes operators, one such change at a time, for a caller who is one still: who was revoked while this
 * was waiting can change nothing any more.
 */
export function withOperatorsLocked<Result>(
  { dataSource, adminAuth }: CommandDependencies,
  { operator }: CommandContext,
  work: (tx: Transaction, nowMs: number) => Promise<Result>,
): Promise<Result> {
  return withTransaction(dataSource, async (tx) => {
    const nowMs = await lockOperators(tx);
    if (adminAuth === 'token') {
      const caller = await findOperator(tx, operator.tokenHash);
      if (caller === undefined || caller.revoked) throw unauthenticated();
    }
    return work(tx, nowMs);
  });
}

/** @throws RpcError `not_found: unknown_operator` if there is none, revoked or not */
export async function existingOperator(tx: Transaction, hash: string): Promise<StoredOperator> {
  const operator = await findOperator(tx, hash);
  if (operator === undefined) throw notFound('unknown_operator', 'there is no operator with this token_hash');
  return operator;
}

/** Capabilities in the order of the contract, each once. */
export function inOrder(capabilities: readonly string[]): Capability[] {
  return Capability.options.filter((capability) => capabilities.includes(capability));
}

/** Nobody makes somebody who may do more, which would be a way to more for themselves. */
export function checkMayGrant({ operator, method }: CommandContext, capabilities: readonly Capability[]): void {
  const missing = capabilities.find((capability) => !operator.capabilities.includes(capability));
  if (missing !== undefined) throw capabilityNotGranted(missing, method);
}

/** Makes an operator with a fresh token, which only the result holds. */
export async function makeOperator(
  tx: Transaction,
  operator: { name: string; capabilities: Capability[]; createdAtMs: number },
): Promise<OperatorWithToken> {
  const token = newToken();
  if (!(await insertOperator(tx, { ...operator, token }))) throw new Error('a fresh token has the hash of another one');
  return { operator: toOperator({ ...operator, tokenHash: tokenHash(token), revokedAtMs: null }), token };
}

/** An operator as the wire shows it. */
export function toOperator(operator: {
  tokenHash: string;
  name: string;
  capabilities: readonly string[];
  createdAtMs: number;
  revokedAtMs: number | null;
}): Operator {
  return {
    token_hash: operator.tokenHash,
    name: operator.name,
    capabilities: inOrder(operator.capabilities),
    created_at_ms: operator.createdAtMs,
    ...(operator.revokedAtMs === null ? {} : { revoked_at_ms: operator.revokedAtMs }),
  };
}
