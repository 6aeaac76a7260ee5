import { capabilityNotGranted, invalidParams, unauthenticated } from '#contracts/errors.js';
import { MAX_ID_BYTES } from '#contracts/limits.js';
import { ADMIN_METHODS, type AdminMethod, type MethodSpec, type ParamsOf, type ResultOf } from '#contracts/methods.js';

import { answerRequest, toRpcError } from './answer-request.js';
import { auditRefusal } from './audit-refusal.js';
import { claimedHash } from './authenticate.js';
import { CommandContext } from './command-context.js';
import type { CommandDependencies, CommandRequest } from './command-dependencies.js';
import { identify } from './identify.js';
import { type RoutedParams, routedParams } from './routed-params.js';
import { withRetries } from './with-retries.js';

/**
 * Carries out one command. It may be run again if the database undid its transaction, and leaves its own audit row in
 * that transaction if it changes something.
 */
export type CommandHandler<Name extends AdminMethod, Deps> = (
  deps: Deps,
  params: RoutedParams<ParamsOf<Name>>,
  command: CommandContext,
) => Promise<ResultOf<Name>>;

/**
 * Carries out one request of a method: the checks of every operator command, in the order token,
 * `operator_token_hash`, capability, shape of the params, scope; then the handler. A refused command leaves an audit
 * row of its own.
 * @throws RpcError and nothing else
 */
export function runCommand<Name extends AdminMethod, Deps extends CommandDependencies>(
  deps: Deps,
  method: Name,
  handler: CommandHandler<Name, Deps>,
  rawParams: unknown,
  request: CommandRequest,
): Promise<ResultOf<Name>> {
  return answerRequest(deps, method, request, () => checkAndHandle(deps, method, handler, rawParams, request));
}

async function checkAndHandle<Name extends AdminMethod, Deps extends CommandDependencies>(
  deps: Deps,
  method: Name,
  handler: CommandHandler<Name, Deps>,
  rawParams: unknown,
  request: CommandRequest,
): Promise<ResultOf<Name>> {
  const caller = await identify(deps, method, rawParams, request);
  const command = new CommandContext(method, request.correlationId, caller, rawParams);
  try {
    checkClaim(deps, command, rawParams);
    checkCapability(command);
    const params = routedParams(method, rawParams);
    return await withRetries(() => handler(deps, params, command));
  } catch (error) {
    const answer = toRpcError(error, method, deps, request);
    await auditRefusal(deps, command, rawParams, answer);
    throw answer;
  }
}

function checkClaim(deps: CommandDependencies, command: CommandContext, rawParams: unknown): void {
  const claimed = claimedHash(command.method, rawParams);
  if (claimed === undefined || claimed === command.operator.tokenHash) return;
  if (deps.adminAuth === 'token') throw unauthenticated();
  throw invalidParams('operator_token_hash', `operator_token_hash must be at most ${MAX_ID_BYTES} bytes`);
}

function checkCapability({ method, operator }: CommandContext): void {
  const { capability }: MethodSpec = ADMIN_METHODS[method];
  if (capability !== undefined && !operator.capabilities.includes(capability)) {
    throw capabilityNotGranted(capability, method);
  }
}
