import { randomUUID } from 'node:crypto';

import { type NatsConnection, RequestError } from '@nats-io/nats-core';

import { type JsonRpcError, JsonRpcResponse } from '#contracts/json-rpc.js';
import { type AgentMethod, METHODS, type ParamsOf, type ResultOf, subjectOfMethod } from '#contracts/methods.js';

/** Longer than Holdline waits for a channel. */
const ANSWER_TIMEOUT_MS = 10_000;

export type Answer<Result> =
  { kind: 'result'; result: Result } | { kind: 'error'; error: JsonRpcError } | { kind: 'nobody' };

/**
 * Calls a method of the agent's side: `nobody` if there is no responder.
 * @throws the client's errors when there is no answer in time or the broker is away
 */
export async function askHoldline<Method extends AgentMethod>(
  nc: NatsConnection,
  method: Method,
  params: ParamsOf<Method>,
): Promise<Answer<ResultOf<Method>>> {
  const request = { jsonrpc: '2.0', id: randomUUID(), method, params };
  try {
    const reply = await nc.request(subjectOfMethod(method), JSON.stringify(request), { timeout: ANSWER_TIMEOUT_MS });
    const response = JsonRpcResponse.parse(reply.json());
    if ('error' in response) return { kind: 'error', error: response.error };
    return { kind: 'result', result: METHODS[method].result.parse(response.result) as ResultOf<Method> };
  } catch (error) {
    if (error instanceof RequestError && error.isNoResponders()) return { kind: 'nobody' };
    throw error;
  }
}
