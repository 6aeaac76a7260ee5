import type { RpcErrorBody } from '#contracts/errors.js';
import type { AdminMethod, ParamsOf, ResultOf } from '#contracts/methods.js';

import { RpcFailure } from './rpc-failure.js';

/** What a command is given; the operator's hash is added by the client. */
export type CommandParams<Method extends AdminMethod> = Omit<ParamsOf<Method>, 'operator_token_hash'>;

export interface RpcClientOptions {
  fetch: typeof fetch;
  /** Added to every command as `operator_token_hash`. */
  operatorTokenHash: string;
  /** Called when the session is over: revoked, logged out elsewhere, or lost. */
  onUnauthenticated: () => void;
}

interface Response {
  id: number;
  result?: unknown;
  error?: RpcErrorBody;
}

/** The most requests in one HTTP request, as the contract has it. */
const MAX_BATCH = 50;
const REQUEST_TIMEOUT_MS = 20_000;

/** Calls `nexo/admin/…` over `POST /rpc`, with the session's cookie. */
export class RpcClient {
  private lastId = 0;

  constructor(private readonly options: RpcClientOptions) {}

  get operatorTokenHash(): string {
    return this.options.operatorTokenHash;
  }

  /** @throws {RpcFailure} */
  async call<Method extends AdminMethod>(
    method: Method,
    params: CommandParams<Method>,
    signal?: AbortSignal,
  ): Promise<ResultOf<Method>> {
    const answer = (await this.post(this.request(method, params), signal)) as Response;
    return this.unwrap(answer) as ResultOf<Method>;
  }

  /**
   * The same method several times in as few HTTP requests as possible; the results are in the order of `list`.
   * @throws {RpcFailure} the first one.
   */
  async callEach<Method extends AdminMethod>(
    method: Method,
    list: readonly CommandParams<Method>[],
    signal?: AbortSignal,
  ): Promise<ResultOf<Method>[]> {
    const results: ResultOf<Method>[] = [];
    for (let from = 0; from < list.length; from += MAX_BATCH) {
      const requests = list.slice(from, from + MAX_BATCH).map((params) => this.request(method, params));
      const answers = (await this.post(requests, signal)) as Response[];
      const byId = new Map(answers.map((answer) => [answer.id, answer]));
      for (const { id } of requests) {
        const answer = byId.get(id);
        if (answer === undefined) throw new RpcFailure('internal', `no answer to request ${id}`);
        results.push(this.unwrap(answer) as ResultOf<Method>);
      }
    }
    return results;
  }

  private request(method: AdminMethod, params: object) {
    this.lastId += 1;
    const withOperator = { operator_token_hash: this.options.operatorTokenHash, ...params };
    return { jsonrpc: '2.0', id: this.lastId, method, params: withOperator };
  }

  private async post(body: unknown, signal?: AbortSignal): Promise<unknown> {
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const response = await this.options
      .fetch('/rpc', {
        method: 'POST',
        credentials: 'same-origin',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      })
      .catch((error: unknown) => {
        if (signal?.aborted) throw error;
        throw new RpcFailure('unreachable', String(error));
      });
    if (response.status === 401) this.options.onUnauthenticated();
    if (!response.ok) throw RpcFailure.ofStatus(response.status);
    return response.json();
  }

  private unwrap(answer: Response): unknown {
    if (answer.error === undefined) return answer.result;
    const failure = RpcFailure.ofError(answer.error);
    if (failure.reason === 'unauthenticated') this.options.onUnauthenticated();
    throw failure;
  }
}
