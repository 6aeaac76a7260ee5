import {
  capabilityNotGranted,
  internal,
  invalidParams,
  notImplemented,
  RpcError,
  unauthenticated,
  unavailable,
} from '#contracts/errors.js';
import { MAX_ID_BYTES } from '#contracts/limits.js';
import { ADMIN_METHODS, type AdminMethod, type MethodSpec, type ParamsOf, type ResultOf } from '#contracts/methods.js';
import { parseParams } from '#contracts/parse-params.js';
import { type ConversationScope, isRouted, type ProcessingScope } from '#contracts/processing-scope.js';
import { classifyDatabaseError } from '#store/database-errors.js';
import { stillConnected } from '#store/queries/still-connected.js';
import { readOnce } from '#store/read.js';

import { auditRefusal } from './audit-refusal.js';
import { authenticate, claimedHash, trustedCaller } from './authenticate.js';
import { type Caller, CommandContext, paramsSha256 } from './command-context.js';
import type { CommandDependencies, CommandRequest } from './command-dependencies.js';
import { describeFailure } from './describe-failure.js';
import { withRetries } from './with-retries.js';

/** Params after the checks: a scope that is there is a conversation. */
export type RoutedParams<Params> = Params extends { scope: ProcessingScope }
  ? Params & { scope: ConversationScope }
  : Params;

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
export async function runCommand<Name extends AdminMethod, Deps extends CommandDependencies>(
  deps: Deps,
  method: Name,
  handler: CommandHandler<Name, Deps>,
  rawParams: unknown,
  request: CommandRequest,
): Promise<ResultOf<Name>> {
  const startedAt = performance.now();
  try {
    const result = await checkAndHandle(deps, method, handler, rawParams, request);
    deps.metrics.observeRpc(method, 'ok', performance.now() - startedAt);
    return result;
  } catch (error) {
    const answer = toRpcError(error, method, deps, request);
    deps.metrics.observeRpc(method, answer.code, performance.now() - startedAt);
    throw answer;
  }
}

async function checkAndHandle<Name extends AdminMethod, Deps extends CommandDependencies>(
  deps: Deps,
  method: Name,
  handler: CommandHandler<Name, Deps>,
  rawParams: unknown,
  request: CommandRequest,
): Promise<ResultOf<Name>> {
  const caller = await identify(deps, method, rawParams, request);
  if (caller === undefined) {
    const { correlationId } = request;
    await deps.strangers.note({ method, correlationId, paramsSha256: paramsSha256(rawParams) });
    throw unauthenticated();
  }
  const command = new CommandContext(method, request.correlationId, caller, rawParams);
  try {
    checkClaim(deps, command, rawParams);
    checkCapability(command);
    const params = parseParams(ADMIN_METHODS[method].params, rawParams) as ParamsOf<Name>;
    checkScope(params);
    return await withRetries(() => handler(deps, params as RoutedParams<ParamsOf<Name>>, command));
  } catch (error) {
    const answer = toRpcError(error, method, deps, request);
    await auditRefusal(deps, command, rawParams, answer);
    throw answer;
  }
}

/** Asks the database in any case, so that one that is away or hangs is noticed before anything begins. */
async function identify(
  deps: CommandDependencies,
  method: AdminMethod,
  rawParams: unknown,
  request: CommandRequest,
): Promise<Caller | undefined> {
  if (deps.adminAuth === 'trusted') {
    await readOnce(deps.dataSource, stillConnected);
    return trustedCaller(claimedHash(method, rawParams));
  }
  return withRetries(() => authenticate(deps.dataSource, request.bearerToken));
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

function checkScope(params: object): void {
  const { scope } = params as { scope?: ProcessingScope };
  if (scope !== undefined && !isRouted(scope)) throw notImplemented(`a scope of the kind ${scope.kind}`);
}

/** What the caller is told of a failure; the log is told the rest. */
function toRpcError(
  error: unknown,
  method: string,
  deps: CommandDependencies,
  { correlationId }: CommandRequest,
): RpcError {
  if (error instanceof RpcError) return error;
  const details = { correlation_id: correlationId, method, failure: describeFailure(error) };
  if (classifyDatabaseError(error) === 'fatal') {
    deps.logger.error(details, 'a command failed');
    return internal(correlationId);
  }
  deps.logger.warn(details, 'a command found the database away or busy');
  return unavailable('the database is away or busy; ask again');
}
