import type { RpcContext } from '#broker/rpc-context.js';
import type { RpcError } from '#contracts/errors.js';
import { ADMIN_METHODS, type AdminMethod } from '#contracts/methods.js';

import { auditRefusal } from './audit-refusal.js';
import { CommandContext } from './command-context.js';
import type { CommandDependencies } from './command-dependencies.js';
import { identify } from './identify.js';

/**
 * Leaves the audit row of a request to the subject of a command that was refused before it was read as one: no JSON,
 * another method than the subject's, params that are no object. `params_sha256` is of the payload then.
 * @throws RpcError if who asks is a stranger, who has been noted
 */
export async function auditUnread(
  deps: CommandDependencies,
  request: RpcContext,
  payload: Uint8Array,
  answer: RpcError,
): Promise<void> {
  if (!Object.hasOwn(ADMIN_METHODS, request.method)) return;
  const method = request.method as AdminMethod;
  const text = Buffer.from(payload).toString();
  const caller = await identify(deps, method, undefined, request);
  await auditRefusal(deps, new CommandContext(method, request.correlationId, caller, text), undefined, answer);
}
