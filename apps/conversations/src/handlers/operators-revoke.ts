import { conflict } from '#contracts/errors.js';
import type { OperatorsRevokeParams, OperatorsRevokeResult } from '#contracts/operators-revoke.js';
import { othersHaveCapability, revokeOperator } from '#store/queries/revoke-operator.js';

import type { CommandContext } from '../commands/command-context.js';
import type { CommandDependencies } from '../commands/command-dependencies.js';
import { existingOperator, withOperatorsLocked } from '../operators.js';

const MANAGE = 'operators_manage';

/**
 * Makes a token worthless, in every process from the answer on. Conversations that the operator holds stay held.
 * @throws RpcError `conflict: last_admin` for the last one who may manage operators; `not_found: unknown_operator`
 */
export async function operatorsRevoke(
  deps: CommandDependencies,
  params: OperatorsRevokeParams,
  command: CommandContext,
): Promise<OperatorsRevokeResult> {
  const hash = params.token_hash;
  const changed = await withOperatorsLocked(deps, command, async (tx, nowMs) => {
    const operator = await existingOperator(tx, hash);
    const changes = !operator.revoked;
    if (changes) {
      const manages = operator.capabilities.includes(MANAGE);
      if (manages && !(await othersHaveCapability(tx, hash, MANAGE))) {
        throw conflict('last_admin', `nobody else has ${MANAGE}; give it to another operator first`);
      }
      await revokeOperator(tx, hash, nowMs);
    }
    await command.audit(tx, { changed: changes, reason: `operator:${hash}` });
    return changes;
  });
  return { changed, correlation_id: command.correlationId };
}
