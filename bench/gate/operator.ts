import { NoRespondersError, type NatsConnection, RequestError } from '@nats-io/nats-core';

import { ERROR_CODES } from '#contracts/errors.js';

import { CONVERSATIONS, type SampleMessage, scopeOf } from '../workload.js';

const TIMEOUT_MS = 20_000;
const CONCURRENCY = 32;
const OPERATOR_TOKEN_HASH = '0123456789abcdef';

export const ALL_CONVERSATIONS: readonly number[] = Array.from({ length: CONVERSATIONS }, (_, index) => index);

class Refused extends Error {
  constructor(
    verb: string,
    readonly code: number,
    message: string,
  ) {
    super(`The gate refused ${verb}: ${message}`);
  }
}

/** What an operator asks of the gate, over plain NATS requests. */
export class Operator {
  constructor(private readonly nc: NatsConnection) {}

  /** Resolves once the gate answers. */
  async waitForGate(): Promise<void> {
    for (;;) {
      try {
        await this.call('state', { scope: scopeOf(0) });
        return;
      } catch (error) {
        const unanswered = error instanceof RequestError && error.cause instanceof NoRespondersError;
        if (!unanswered && !(error instanceof NoRespondersError)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  /** Until the ack, asking again as often as the gate says that the broker is away. */
  pause(conversation: number): Promise<void> {
    return this.change('pause', conversation);
  }

  resume(conversation: number): Promise<void> {
    return this.change('resume', conversation);
  }

  /** Ids of the buffered messages, oldest first. */
  async pendingMessageIds(conversation: number): Promise<string[]> {
    const { inbounds } = await this.call<{ inbounds: SampleMessage['inbound'][] }>('pending', {
      scope: scopeOf(conversation),
    });
    return inbounds.map((inbound) => inbound.message_id);
  }

  private async change(verb: 'pause' | 'resume', conversation: number): Promise<void> {
    const params = { scope: scopeOf(conversation), operator_token_hash: OPERATOR_TOKEN_HASH };
    for (let attempt = 1; ; attempt++) {
      try {
        const { changed } = await this.call<{ changed: boolean }>(verb, params);
        if (!changed && attempt === 1) throw new Error(`There was nothing to ${verb} on conversation ${conversation}.`);
        return;
      } catch (error) {
        if (!(error instanceof Refused && error.code === ERROR_CODES.unavailable)) throw error;
      }
    }
  }

  private async call<Result>(verb: string, params: object): Promise<Result> {
    const request = { jsonrpc: '2.0', id: 1, method: `nexo/admin/processing/${verb}`, params };
    const answer = await this.nc.request(`nexo.admin.processing.${verb}`, JSON.stringify(request), {
      timeout: TIMEOUT_MS,
    });
    const { result, error } = answer.json<{ result?: Result; error?: { code: number; message: string } }>();
    if (error !== undefined) throw new Refused(verb, error.code, error.message);
    if (result === undefined) throw new Error(`The gate answered ${verb} with neither result nor error.`);
    return result;
  }
}

/** Does something for many conversations, a few of them at a time. */
export async function forEachConversation(
  conversations: readonly number[],
  work: (conversation: number) => Promise<void>,
): Promise<void> {
  const queue = conversations.values();
  const worker = async (): Promise<void> => {
    for (const conversation of queue) await work(conversation);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
