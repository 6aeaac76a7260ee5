import { randomUUID } from 'node:crypto';

import { jetstream, type JetStreamClient, jetstreamManager } from '@nats-io/jetstream';
import { headers, type MsgHdrs, type NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';

import type { TranscriptAppendedEvent } from '#contracts/agent-event.js';
import type { Entry } from '#contracts/entry.js';
import type { RpcErrorBody } from '#contracts/errors.js';
import type { InboundMessage } from '#contracts/inbound-message.js';
import {
  type AdminMethod,
  type AgentMethod,
  type ParamsOf,
  type ResultOf,
  subjectOfMethod,
} from '#contracts/methods.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { inboundSubject, STREAMS, turnSubject } from '#contracts/subjects.js';
import type { Turn } from '#contracts/turn.js';
import type { TurnStreamMessage } from '#contracts/turn-stream-message.js';

import { waitFor } from './wait-for.js';

/** A message of a stream, decoded. */
export interface Stored<Body> {
  seq: number;
  subject: string;
  msgId: string;
  headers: Record<string, string>;
  body: Body;
}

/** A command was answered with an error of the contract. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';

  constructor(readonly error: RpcErrorBody) {
    super(error.message);
  }
}

/** What the outside does over plain NATS: a channel, an agent, an operator and a dashboard in one. */
export class TestClient {
  private constructor(
    readonly nc: NatsConnection,
    readonly js: JetStreamClient,
    /** The bearer token of its commands. */
    public token: string | undefined,
    /** `operator_token_hash` of its commands. */
    public operator: string,
  ) {}

  static async connect(url: string, operator = 'ops', token?: string): Promise<TestClient> {
    const nc = await connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 50, timeout: 5_000 });
    return new TestClient(nc, jetstream(nc), token, operator);
  }

  /** Over a connection that was made already, such as one of a user with fewer rights. */
  static over(nc: NatsConnection, operator = 'ops', token?: string): TestClient {
    return new TestClient(nc, jetstream(nc), token, operator);
  }

  close(): Promise<void> {
    return this.nc.close();
  }

  /** Publishes one inbound; with `msgId` as `Nats-Msg-Id`. Resolves when the stream has it. */
  async publish(scope: ConversationScope, body: string, more: PublishOptions = {}): Promise<number> {
    const { msgId, session_id, ...inbound } = more;
    const message: InboundMessage = {
      scope,
      inbound: {
        from_contact_id: scope.contact_id,
        body,
        timestamp_ms: 1_700_000_000_000,
        source_plugin: scope.channel,
        ...inbound,
      },
      ...(session_id === undefined ? {} : { session_id }),
    };
    return this.publishRaw(inboundSubject(scope), JSON.stringify(message), msgId);
  }

  async publishRaw(subject: string, payload: string | Uint8Array, msgId?: string): Promise<number> {
    const { seq } = await this.js.publish(subject, payload, msgId === undefined ? {} : { msgID: msgId });
    return seq;
  }

  /** @throws CommandRefused */
  async call<Method extends AdminMethod>(
    method: Method,
    params: Omit<ParamsOf<Method>, 'operator_token_hash'>,
    timeoutMs = 10_000,
  ): Promise<ResultOf<Method>> {
    return (await this.send(method, { operator_token_hash: this.operator, ...params }, timeoutMs)) as ResultOf<Method>;
  }

  /**
   * What an agent asks of Holdline.
   * @throws CommandRefused
   */
  async ask<Method extends AgentMethod>(
    method: Method,
    params: ParamsOf<Method>,
    timeoutMs = 10_000,
  ): Promise<ResultOf<Method>> {
    return (await this.send(method, params, timeoutMs)) as ResultOf<Method>;
  }

  private async send(method: AdminMethod | AgentMethod, params: object, timeoutMs: number): Promise<unknown> {
    const request = { jsonrpc: '2.0', id: randomUUID(), method, params };
    const response = await this.request(subjectOfMethod(method), JSON.stringify(request), timeoutMs);
    if (response.error !== undefined) throw new CommandRefused(response.error);
    return response.result;
  }

  async request(subject: string, payload: string | Uint8Array, timeoutMs = 10_000): Promise<RawResponse> {
    const answer = await this.nc.request(subject, payload, { timeout: timeoutMs, headers: this.authorization() });
    return answer.json<RawResponse>();
  }

  /** The agent has nothing to say to a turn. */
  done(turn: Pick<Turn, 'turn_id'>) {
    return this.ask('nexo/agent/done', { turn_id: turn.turn_id, outcome: 'nothing_to_say' });
  }

  /** All lines of a transcript as an agent reads them, oldest first. */
  async agentTranscript(agentId: string, sessionId: string, limit = 1_000): Promise<Entry[]> {
    const lines: Entry[] = [];
    let since: number | undefined;
    do {
      const page = await this.ask('nexo/agent/transcript', {
        agent_id: agentId,
        session_id: sessionId,
        limit,
        ...(since === undefined ? {} : { since_seq: since }),
      });
      lines.push(...page.entries);
      since = page.next_seq;
    } while (since !== undefined);
    return lines;
  }

  /** The headers of its requests. */
  authorization(): MsgHdrs {
    const fields = headers();
    if (this.token !== undefined) fields.set('Authorization', `Bearer ${this.token}`);
    return fields;
  }

  pause(scope: ConversationScope, more: Partial<ParamsOf<'nexo/admin/processing/pause'>> = {}) {
    return this.call('nexo/admin/processing/pause', { scope, ...more });
  }

  resume(scope: ConversationScope, more: Partial<ParamsOf<'nexo/admin/processing/resume'>> = {}) {
    return this.call('nexo/admin/processing/resume', { scope, ...more });
  }

  async state(scope: ConversationScope) {
    return (await this.call('nexo/admin/processing/state', { scope })).state;
  }

  pending(scope: ConversationScope, more: Partial<ParamsOf<'nexo/admin/processing/pending'>> = {}) {
    return this.call('nexo/admin/processing/pending', { scope, ...more });
  }

  async preview(scope: ConversationScope, more: Partial<ParamsOf<'nexo/admin/processing/preview'>> = {}) {
    return (await this.call('nexo/admin/processing/preview', { scope, ...more })).turn;
  }

  /** All lines of a transcript, oldest first. */
  async transcript(agentId: string, sessionId: string): Promise<TranscriptAppendedEvent[]> {
    const lines: TranscriptAppendedEvent[] = [];
    for (;;) {
      const since = lines.at(-1)?.seq;
      const page = await this.call('nexo/admin/agent_events/read', {
        agent_id: agentId,
        session_id: sessionId,
        limit: 1_000,
        ...(since === undefined ? {} : { since_seq: since }),
      });
      if (page.events.length === 0) return lines;
      lines.push(...page.events);
    }
  }

  /** Everything that stands in a stream now, on a subject or all of them. */
  async stored<Body>(stream: string, subject?: string): Promise<Stored<Body>[]> {
    const manager = await jetstreamManager(this.nc, { checkAPI: false });
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    await manager.consumers.add(stream, {
      name,
      ack_policy: 'none',
      mem_storage: true,
      inactive_threshold: 30_000_000_000,
      ...(subject === undefined ? {} : { filter_subject: subject }),
    });
    const consumer = await this.js.consumers.get(stream, name);
    const found: Stored<Body>[] = [];
    let pending = (await consumer.info()).num_pending;
    while (pending > 0) {
      const messages = await consumer.fetch({ max_messages: 1_000, expires: 2_000 });
      for await (const message of messages) {
        const fields = [...(message.headers ?? [])].map(([key, [value = '']]) => [key, value] as const);
        found.push({
          seq: message.seq,
          subject: message.subject,
          msgId: message.headers?.get('Nats-Msg-Id') ?? '',
          headers: Object.fromEntries(fields),
          body: (stream === STREAMS.quarantine ? message.string() : message.json()) as Body,
        });
        pending = message.info.pending;
        if (pending === 0) break;
      }
    }
    await manager.consumers.delete(stream, name);
    return found;
  }

  /** Turns and holds of one conversation, in order. */
  async turns(scope: ConversationScope): Promise<TurnStreamMessage[]> {
    const stored = await this.stored<TurnStreamMessage>(STREAMS.turns, turnSubject(scope));
    return stored.map((message) => message.body);
  }

  /** Waits until the turn stream has `count` messages of the conversation, and gives them. */
  turnsOf(scope: ConversationScope, count: number, timeoutMs = 15_000): Promise<TurnStreamMessage[]> {
    return waitFor(
      async () => {
        const turns = await this.turns(scope);
        return turns.length >= count && turns;
      },
      { timeoutMs, what: `${count} messages in the turn stream` },
    );
  }

  /** The firehose of one agent, of one kind or all. */
  async events(agentId: string, kind = '*'): Promise<Record<string, unknown>[]> {
    const stored = await this.stored<Record<string, unknown>>(STREAMS.events, `nexo.agent_events.${agentId}.${kind}`);
    return stored.map((message) => message.body);
  }

  async notifications(): Promise<Stored<{ method: string; params: Record<string, unknown> }>[]> {
    return this.stored(STREAMS.events, 'nexo.notify.>');
  }
}

export interface PublishOptions {
  msgId?: string;
  session_id?: string;
  message_id?: string;
  timestamp_ms?: number;
  attachments?: unknown[];
}

export interface RawResponse {
  jsonrpc: string;
  id: unknown;
  result?: unknown;
  error?: RpcErrorBody;
}

let contacts = 0;

/** A conversation that no other test has. */
export function newScope(agentId = 'ana'): ConversationScope {
  contacts += 1;
  return {
    kind: 'conversation',
    agent_id: agentId,
    channel: 'whatsapp',
    account_id: '55-1234',
    contact_id: `${contacts}.${randomUUID().slice(0, 8)}@s.whatsapp.net`,
  };
}
