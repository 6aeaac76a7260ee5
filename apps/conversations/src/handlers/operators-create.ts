import type { OperatorsCreateParams, OperatorsCreateResult } from '#contracts/operators-create.js';

import type { CommandContext } from '../commands/command-context.js';
import type { CommandDependencies } from '../commands/command-dependencies.js';
import { checkMayGrant, inOrder, makeOperator, withOperatorsLocked } from '../operators.js';

/**
 * Makes an operator. The answer is the only place where the token is ever shown.
 * @throws RpcError `capability_not_granted` for a capability that the caller does not have
 */
export async function operatorsCreate(
  deps: CommandDependencies,
  params: OperatorsCreateParams,
  command: CommandContext,
): Promise<OperatorsCreateResult> {
  const capabilities = inOrder(params.capabilities);
  checkMayGrant(command, capabilities);
  return withOperatorsLocked(deps, command, async (tx, nowMs) => {
    const made = await makeOperator(tx, { name: params.name, capabilities, createdAtMs: nowMs });
    await command.audit(tx, { changed: true, reason: `operator:${made.operator.token_hash}` });
    return made;
  });
}
