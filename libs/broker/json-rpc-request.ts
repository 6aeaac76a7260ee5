import { invalidParams, invalidRequest, parseError, RpcError } from '#contracts/errors.js';
import type { JsonRpcId } from '#contracts/json-rpc.js';
import { MAX_JSON_DEPTH, MAX_REQUEST_BYTES } from '#contracts/limits.js';
import { nestsDeeperThan } from './json-depth.js';

/** A request that a handler may carry out. Without `id` nobody waits for an answer. */
export interface RpcCall {
  id?: JsonRpcId;
  params: Record<string, unknown>;
}

/** What to answer instead; without `id` nothing is to be answered. */
export interface RefusedRequest {
  id?: JsonRpcId;
  error: RpcError;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the payload of a message to the subject of `method`. Never throws. */
export function readRequest(payload: Uint8Array, method: string): RpcCall | RefusedRequest {
  const refuse = (named: string) =>
    named === method ? undefined : invalidRequest(`the method of this subject is ${method}`);
  const call = readCall(payload, refuse);
  if ('error' in call) return call;
  const { method: _, ...request } = call;
  return request;
}

/**
 * Reads a request of any method. Never throws.
 * @param refuse what to answer instead of carrying the method out, if it may not be called here.
 */
export function readCall(
  payload: Uint8Array,
  refuse: (method: string) => RpcError | undefined,
): (RpcCall & { method: string }) | RefusedRequest {
  const parsed = parse(payload);
  if (parsed instanceof RpcError) return { id: null, error: parsed };
  const id = idOf(parsed);
  if (id instanceof RpcError) return { id: null, error: id };
  if (own(parsed, 'jsonrpc') !== '2.0') return { id: id ?? null, error: invalidRequest('jsonrpc must be "2.0"') };
  const named = own(parsed, 'method');
  if (typeof named !== 'string') return { id: id ?? null, error: invalidRequest('method must be a string') };
  const answerTo = id === undefined ? {} : { id };
  const refusal = refuse(named);
  if (refusal !== undefined) return { ...answerTo, error: refusal };
  const params = own(parsed, 'params') ?? {};
  if (!isObject(params)) return { ...answerTo, error: invalidParams('params', 'params must be an object') };
  return { ...answerTo, method: named, params };
}

function parse(payload: Uint8Array): Record<string, unknown> | RpcError {
  if (payload.length > MAX_REQUEST_BYTES) {
    return invalidRequest(`a request has at most ${MAX_REQUEST_BYTES} bytes, this one has ${payload.length}`);
  }
  let json: unknown;
  try {
    json = JSON.parse(utf8.decode(payload));
  } catch {
    return parseError('the request is not JSON in UTF-8');
  }
  if (nestsDeeperThan(payload, MAX_JSON_DEPTH)) {
    return invalidRequest(`a request nests at most ${MAX_JSON_DEPTH} levels deep`);
  }
  if (Array.isArray(json)) return invalidRequest('batches are not taken over NATS, send one request a message');
  return isObject(json) ? json : invalidRequest('a request is a JSON object');
}

/** Undefined for a request without an id. */
function idOf(request: Record<string, unknown>): JsonRpcId | undefined | RpcError {
  const id = own(request, 'id');
  if (id === undefined || id === null || typeof id === 'string') return id;
  if (typeof id !== 'number') return invalidRequest('id must be a string, a number or null');
  // A number that a double does not hold would be answered with another one.
  if (Number.isSafeInteger(id) || (!Number.isInteger(id) && Number.isFinite(id))) return id;
  return invalidRequest('an integer id is at most 2^53 - 1; send larger ones as a string');
}

function own(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
