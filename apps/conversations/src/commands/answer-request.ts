import { internal, RpcError, unavailable } from '#contracts/errors.js';
import type { Method } from '#contracts/methods.js';
import { classifyDatabaseError } from '#store/database-errors.js';

import type { CommandRequest, RequestDependencies } from './command-dependencies.js';
import { describeFailure } from './describe-failure.js';

/**
 * Does the work of one request and measures how long it takes.
 * @throws RpcError and nothing else
 */
export async function answerRequest<Result>(
  deps: RequestDependencies,
  method: Method,
  request: Pick<CommandRequest, 'correlationId'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  try {
    const result = await work();
    deps.metrics.observeRpc(method, 'ok', performance.now() - startedAt);
    return result;
  } catch (error) {
    const answer = toRpcError(error, method, deps, request);
    deps.metrics.observeRpc(method, answer.code, performance.now() - startedAt);
    throw answer;
  }
}

/** What the caller is told of a failure; the log is told the rest. */
export function toRpcError(
  error: unknown,
  method: Method,
  deps: RequestDependencies,
  { correlationId }: Pick<CommandRequest, 'correlationId'>,
): RpcError {
  if (error instanceof RpcError) return error;
  const details = { correlation_id: correlationId, method, failure: describeFailure(error) };
  if (classifyDatabaseError(error) === 'fatal') {
    deps.logger.error(details, 'a request failed');
    return internal(correlationId);
  }
  deps.logger.warn(details, 'a request found the database away or busy');
  return unavailable('the database is away or busy; ask again');
}
