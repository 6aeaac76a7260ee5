import { invalidRequest, unavailable } from '#contracts/errors.js';
import { MAX_BATCH } from '#contracts/limits.js';

import { type CallOutcome, forwardCall, type ForwardDependencies } from './forward-call.js';
import { splitArray } from './split-batch.js';

const BATCH_LIMIT_MS = 30_000;
const TOO_LATE = unavailable('the requests before it took too long; it was not carried out');

/** The calls of a batch, as they were written. @throws RpcError for a batch that is none, or is too long */
export function callsOfBatch(json: Uint8Array): Uint8Array[] {
  const calls = splitArray(json);
  if (calls.length === 0) throw invalidRequest('a batch has at least one request');
  if (calls.length > MAX_BATCH) throw invalidRequest(`a batch has at most ${MAX_BATCH} requests`);
  return calls;
}

/**
 * Has the calls carried out one after the other, so that what is written later in the batch finds what came before done.
 * Those whose turn does not come within the limit are not carried out.
 */
export async function forwardBatch(
  deps: ForwardDependencies,
  calls: readonly Uint8Array[],
  token: string | undefined,
): Promise<CallOutcome[]> {
  const deadline = performance.now() + BATCH_LIMIT_MS;
  const outcomes: CallOutcome[] = [];
  for (const call of calls) {
    const late = performance.now() > deadline;
    outcomes.push(await forwardCall(deps, call, token, late ? TOO_LATE : undefined));
  }
  return outcomes;
}

/** What a batch is answered with; undefined if it had notifications only. */
export function batchResponse(outcomes: readonly CallOutcome[]): Uint8Array | undefined {
  const responses = outcomes.flatMap(({ response }) => (response === undefined ? [] : [response]));
  if (responses.length === 0) return undefined;
  const parts = responses.flatMap((response, index) => [index === 0 ? OPEN : COMMA, response]);
  return Buffer.concat([...parts, CLOSE]);
}

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');
