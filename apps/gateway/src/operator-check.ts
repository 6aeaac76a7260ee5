import { ERROR_CODES, RpcError, unavailable } from '#contracts/errors.js';
import { JsonRpcResponse } from '#contracts/json-rpc.js';
import { type AdminMethod, type ParamsOf, subjectOfMethod } from '#contracts/methods.js';
import { SYSTEM_AGENT } from '#contracts/subjects.js';

import { type BrokerLink, NoAnswerError } from './broker-link.js';

const CHECK_TIMEOUT_MS = 5_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** What is asked for: to be an operator at all, or one who may read what people write. */
export type Right = 'any' | 'transcripts_read';

interface Question<Method extends AdminMethod> {
  method: Method;
  params: ParamsOf<Method>;
}

const ANY: Question<'nexo/admin/processing/state'> = {
  method: 'nexo/admin/processing/state',
  params: {
    scope: {
      kind: 'conversation',
      agent_id: SYSTEM_AGENT,
      channel: SYSTEM_AGENT,
      account_id: SYSTEM_AGENT,
      contact_id: SYSTEM_AGENT,
    },
  },
};
const TRANSCRIPTS_READ: Question<'nexo/admin/agent_events/read'> = {
  method: 'nexo/admin/agent_events/read',
  params: { agent_id: SYSTEM_AGENT, session_id: NOBODY, limit: 1 },
};

/**
 * Asks Holdline whether a token is good for something, by the cheapest command that needs it: one that reads a row that
 * is not there. So there is one place that knows who may do what, and it counts and audits strangers.
 * @throws RpcError `unauthenticated`, `capability_not_granted` or `unavailable`
 */
export async function checkOperator(
  link: Pick<BrokerLink, 'request'>,
  token: string | undefined,
  right: Right,
): Promise<void> {
  const { method, params } = right === 'any' ? ANY : TRANSCRIPTS_READ;
  const request = JSON.stringify({ jsonrpc: '2.0', id: 0, method, params });
  const response = await ask(link, subjectOfMethod(method), request, token);
  if (!('error' in response)) return;
  const { code, message, data } = response.error;
  if (code === ERROR_CODES.unauthenticated) throw new RpcError('unauthenticated', detailOf(message));
  if (code === ERROR_CODES.capability_not_granted) {
    throw new RpcError('capability_not_granted', detailOf(message), { capability: data?.['capability'], method });
  }
  throw unavailable('who you are could not be checked; ask again');
}

async function ask(
  link: Pick<BrokerLink, 'request'>,
  subject: string,
  request: string,
  token: string | undefined,
): Promise<JsonRpcResponse> {
  try {
    const answer = await link.request(subject, request, token, CHECK_TIMEOUT_MS);
    return JsonRpcResponse.parse(JSON.parse(Buffer.from(answer).toString('utf8')));
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    throw unavailable('the broker or Holdline does not answer; ask again');
  }
}

/** A message without the word that it begins with. */
function detailOf(message: string): string {
  return message.slice(message.indexOf(': ') + 2);
}
