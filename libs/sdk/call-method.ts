import { randomUUID } from 'node:crypto';

import { headers, type Msg, type NatsConnection, RequestError } from '@nats-io/nats-core';

import { AUTHORIZATION_HEADER } from '#contracts/headers.js';
import { JsonRpcResponse } from '#contracts/json-rpc.js';
import { type Method, METHODS, type ParamsOf, type ResultOf, subjectOfMethod } from '#contracts/methods.js';

import { NoAnswer, toHoldlineError, unavailableHere, UnexpectedAnswer } from './errors.js';

/** Longer than Holdline waits for a channel, or for the Hold of a pause. */
export const ANSWER_TIMEOUT_MS = 10_000;

export interface CallOptions {
  /** Sent as `Authorization: Bearer …`. */
  bearerToken?: string | undefined;
  timeoutMs?: number | undefined;
}

/**
 * Calls one method of the contract over NATS.
 * @throws HoldlineError, by class, for what Holdline answers; Unavailable if nobody is there; NoAnswer; UnexpectedAnswer
 */
export async function callMethod<Name extends Method>(
  nc: NatsConnection,
  method: Name,
  params: ParamsOf<Name>,
  { bearerToken, timeoutMs = ANSWER_TIMEOUT_MS }: CallOptions = {},
): Promise<ResultOf<Name>> {
  const request = JSON.stringify({ jsonrpc: '2.0', id: randomUUID(), method, params });
  const authorization = headers();
  if (bearerToken !== undefined) authorization.set(AUTHORIZATION_HEADER, `Bearer ${bearerToken}`);
  const reply = await nc
    .request(subjectOfMethod(method), request, { timeout: timeoutMs, headers: authorization })
    .catch((error: unknown) => {
      if (error instanceof RequestError && error.isNoResponders()) throw unavailableHere(`nobody answers ${method}`);
      throw new NoAnswer(method, error);
    });
  const response = readResponse(method, reply);
  if ('error' in response) throw toHoldlineError(response.error);
  const result = METHODS[method].result.safeParse(response.result);
  if (!result.success) throw new UnexpectedAnswer(method, result.error);
  return result.data as ResultOf<Name>;
}

function readResponse(method: string, reply: Msg): JsonRpcResponse {
  try {
    return JsonRpcResponse.parse(reply.json());
  } catch (error) {
    throw new UnexpectedAnswer(method, error);
  }
}
