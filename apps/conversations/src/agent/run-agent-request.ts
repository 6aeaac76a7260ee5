import type { AgentMethod, ParamsOf, ResultOf } from '#contracts/methods.js';
import { stillConnected } from '#store/queries/still-connected.js';
import { readOnce } from '#store/read.js';

import { answerRequest } from '../commands/answer-request.js';
import type { CommandRequest, RequestDependencies } from '../commands/command-dependencies.js';
import { type RoutedParams, routedParams } from '../commands/routed-params.js';
import { withRetries } from '../commands/with-retries.js';

/** One request of an agent on its way through a handler. */
export type AgentRequest = Pick<CommandRequest, 'correlationId'>;

/** Carries out one request of an agent. It may be run again if the database undid its transaction. */
export type AgentHandler<Name extends AgentMethod, Deps> = (
  deps: Deps,
  params: RoutedParams<ParamsOf<Name>>,
  request: AgentRequest,
) => Promise<ResultOf<Name>>;

/**
 * Carries out one request of an agent. The broker's accounts say who is one, so that no token is asked for; params and
 * scope are checked as an operator's are. The database is asked in any case, so that one that is away or hangs is
 * noticed before anything begins.
 * @throws RpcError and nothing else
 */
export function runAgentRequest<Name extends AgentMethod, Deps extends RequestDependencies>(
  deps: Deps,
  method: Name,
  handler: AgentHandler<Name, Deps>,
  rawParams: unknown,
  request: AgentRequest,
): Promise<ResultOf<Name>> {
  return answerRequest(deps, method, request, async () => {
    const params = routedParams(method, rawParams);
    await readOnce(deps.dataSource, stillConnected);
    return withRetries(() => handler(deps, params, request));
  });
}
