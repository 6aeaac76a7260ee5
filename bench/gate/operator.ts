import { NoRespondersError, type NatsConnection, RequestError } from '@nats-io/nats-core';

import { CONVERSATIONS, type SampleMessage, scopeOf } from '../workload.js';

const TIMEOUT_MS = 20_000;
const CONCURRENCY = 32;
const OPERATOR_TOKEN_HASH = '0123456789abcdef';

export const ALL_CONVERSATIONS: readonly number[] = Array.from({ length: CONVERSATIONS }, (_, index) => index);

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

  async pause(conversation: number): Promise<void> {
    const { changed } = await this.command('pause', conversation);
    if (!changed) throw new Error(`Conversation ${conversation} was already paused.`);
  }

  async resume(conversation: number): Promise<void> {
    const { changed } = await this.command('resume', conversation);
    if (!changed) throw new Error(`Conversation ${conversation} was not paused.`);
  }

  /** Ids of the buffered messages, oldest first. */
  async pendingMessageIds(conversation: number): Promise<string[]> {
    const { inbounds } = await this.call<{ inbounds: SampleMessage['inbound'][] }>('pending', {
      scope: scopeOf(conversation),
    });
    return inbounds.map((inbound) => inbound.message_id);
  }

  private command(verb: 'pause' | 'resume', conversation: number): Promise<{ changed: boolean }> {
    return this.call(verb, { scope: scopeOf(conversation), operator_token_hash: OPERATOR_TOKEN_HASH });
  }

  private async call<Result>(verb: string, params: object): Promise<Result> {
    const request = { jsonrpc: '2.0', id: 1, method: `nexo/admin/processing/${verb}`, params };
    const answer = await this.nc.request(`nexo.admin.processing.${verb}`, JSON.stringify(request), {
      timeout: TIMEOUT_MS,
    });
    const { result, error } = answer.json<{ result?: Result; error?: { message: string } }>();
    if (result === undefined) throw new Error(`The gate refused ${verb}: ${error?.message}`);
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
