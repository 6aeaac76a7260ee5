import { randomUUID } from 'node:crypto';

import { readCall } from '#broker/json-rpc-request.js';
import { ERROR_CODES, internal, methodNotFound, type RpcError, unavailable } from '#contracts/errors.js';
import type { JsonRpcId, JsonRpcResponse } from '#contracts/json-rpc.js';
import { ADMIN_METHODS, type AdminMethod, subjectOfMethod } from '#contracts/methods.js';

import { NoAnswerError } from '../broker-link.js';
import type { Dependencies } from '../dependencies.js';

/** Longer than any command takes that is answered at all. */
const ANSWER_TIMEOUT_MS = 20_000;
const MAX_IN_FLIGHT = 512;

const CHANGES_OPERATORS: ReadonlySet<string> = new Set<AdminMethod>([
  'nexo/admin/operators/revoke',
  'nexo/admin/operators/rotate',
]);

/** What a call has come to. */
export interface CallOutcome {
  /** The response as it is to be sent; absent for a notification. */
  response?: Uint8Array;
  code: number | 'ok';
  /** True if the call did not reach anybody who would carry it out. */
  undelivered: boolean;
}

/** What forwarding needs. */
export type ForwardDependencies = Pick<Dependencies, 'link' | 'logger' | 'metrics' | 'knownTokens' | 'notices'>;

/**
 * Has one JSON-RPC request carried out over NATS, and gives the answer as it came. Only what cannot be sent is answered
 * here: no request, no method of operators, nobody there.
 * @param payload the request as it was written
 * @param refusal what to answer instead of having it carried out
 */
export async function forwardCall(
  deps: ForwardDependencies,
  payload: Uint8Array,
  token: string | undefined,
  refusal?: RpcError,
): Promise<CallOutcome> {
  const startedAt = performance.now();
  const call = readCall(payload, (method) => (isAdminMethod(method) ? undefined : methodNotFound(method)));
  const observed = (outcome: CallOutcome) => {
    const method = 'error' in call ? 'unknown' : call.method;
    deps.metrics.observeRpc(method, outcome.code, performance.now() - startedAt);
    return outcome;
  };
  if ('error' in call) return observed(answered(call.id, call.error));
  if (refusal !== undefined) return observed(undelivered(call.id, refusal));
  const method = call.method as AdminMethod;
  try {
    if (deps.link.inFlight >= MAX_IN_FLIGHT) {
      return observed(undelivered(call.id, unavailable('too many requests are under way; ask again later')));
    }
    if (call.id === undefined) {
      await deps.link.send(subjectOfMethod(method), payload, token);
      return observed({ code: 'ok', undelivered: false });
    }
    const response = await deps.link.request(subjectOfMethod(method), payload, token, ANSWER_TIMEOUT_MS);
    const code = codeOf(response);
    learn(deps, method, token, code);
    return observed({ response, code, undelivered: false });
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return observed(withoutAnswer(deps, method, call.id, error.kind));
  }
}

/** Nobody knows what became of a command that was sent and not answered; a read is simply asked again. */
function withoutAnswer(
  deps: ForwardDependencies,
  method: AdminMethod,
  id: JsonRpcId | undefined,
  kind: NoAnswerError['kind'],
): CallOutcome {
  if (kind !== 'silent' || !ADMIN_METHODS[method].mutates) {
    const detail = kind === 'nobody' ? `nobody carries out ${method} now` : 'the broker or Holdline does not answer';
    return undelivered(id, unavailable(`${detail}; ask again`));
  }
  const correlationId = randomUUID();
  deps.logger.error({ correlation_id: correlationId, method }, 'a command was sent and not answered');
  return answered(id, internal(correlationId));
}

function learn(deps: ForwardDependencies, method: AdminMethod, token: string | undefined, code: number | 'ok'): void {
  if (token !== undefined) {
    if (code === ERROR_CODES.unauthenticated) deps.knownTokens.noteRefused(token);
    else deps.knownTokens.noteAccepted(token);
  }
  if (code === 'ok' && CHANGES_OPERATORS.has(method)) deps.notices.operatorsChanged();
}

function answered(id: JsonRpcId | undefined, error: RpcError): CallOutcome {
  if (id === undefined) return { code: error.code, undelivered: false };
  const response = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error: error.toJson() }));
  return { response, code: error.code, undelivered: false };
}

function undelivered(id: JsonRpcId | undefined, error: RpcError): CallOutcome {
  return { ...answered(id, error), undelivered: true };
}

function codeOf(response: Uint8Array): number | 'ok' {
  const parsed = JSON.parse(Buffer.from(response).toString('utf8')) as JsonRpcResponse;
  return 'error' in parsed ? parsed.error.code : 'ok';
}

function isAdminMethod(method: string): method is AdminMethod {
  return Object.hasOwn(ADMIN_METHODS, method);
}
