import { unauthenticated } from '#contracts/errors.js';
import type { AdminMethod } from '#contracts/methods.js';
import { stillConnected } from '#store/queries/still-connected.js';
import { readOnce } from '#store/read.js';

import { authenticate, claimedHash, trustedCaller } from './authenticate.js';
import { type Caller, paramsSha256 } from './command-context.js';
import type { CommandDependencies, CommandRequest } from './command-dependencies.js';
import { withRetries } from './with-retries.js';

/**
 * Who asks. The database is asked in any case, so that one that is away or hangs is noticed before anything begins;
 * but not for a source that has shown too many worthless tokens.
 * @throws RpcError `unauthenticated` for a stranger, who has been noted
 */
export async function identify(
  deps: CommandDependencies,
  method: AdminMethod,
  rawParams: unknown,
  request: CommandRequest,
): Promise<Caller> {
  if (deps.adminAuth === 'trusted') {
    await readOnce(deps.dataSource, stillConnected);
    return trustedCaller(claimedHash(method, rawParams));
  }
  const { guard } = deps.strangers;
  const retryAfterMs = await withRetries(() => guard.holdOffMs(request));
  if (retryAfterMs === 0) {
    const caller = await withRetries(() => authenticate(deps.dataSource, request.bearerToken));
    if (caller !== undefined) return caller;
    await guard.refused(request);
  }
  const { correlationId } = request;
  await deps.strangers.note({ method, correlationId, paramsSha256: paramsSha256(rawParams) });
  throw unauthenticated(retryAfterMs === 0 ? {} : { retryAfterMs });
}
