import { notFound } from '#contracts/errors.js';
import type { OperatorsRotateParams, OperatorsRotateResult } from '#contracts/operators-rotate.js';
import { revokeOperator } from '#store/queries/revoke-operator.js';

import type { CommandContext } from '../commands/command-context.js';
import type { CommandDependencies } from '../commands/command-dependencies.js';
import { checkMayGrant, existingOperator, inOrder, makeOperator, withOperatorsLocked } from '../operators.js';

/**
 * Gives an operator a new token, which only the answer shows. The old one is worthless in every process from the
 * answer on, and is listed as revoked.
 * @throws RpcError `capability_not_granted` for an operator who may do more than the caller, who would get a token for
 * that; `not_found: unknown_operator`, also for one that is revoked
 */
export async function operatorsRotate(
  deps: CommandDependencies,
  params: OperatorsRotateParams,
  command: CommandContext,
): Promise<OperatorsRotateResult> {
  const hash = params.token_hash;
  return withOperatorsLocked(deps, command, async (tx, nowMs) => {
    const { name, capabilities, revoked } = await existingOperator(tx, hash);
    if (revoked) throw notFound('unknown_operator', 'the operator with this token_hash is revoked');
    checkMayGrant(command, inOrder(capabilities));
    const made = await makeOperator(tx, { name, capabilities: inOrder(capabilities), createdAtMs: nowMs });
    await revokeOperator(tx, hash, nowMs);
    await command.audit(tx, { changed: true, reason: `operator:${hash},operator:${made.operator.token_hash}` });
    return made;
  });
}
