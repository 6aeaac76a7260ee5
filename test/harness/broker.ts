import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';

import { connectBroker } from '#broker/connection.js';
import { ensureStreams } from '#broker/topology.js';
import type { RpcErrorBody } from '#contracts/errors.js';
import { type Method, subjectOfMethod } from '#contracts/methods.js';

import { TestNats } from './nats.js';

/** A request that a stand-in for Holdline was given. */
export interface ReceivedRequest {
  method: string;
  params: Record<string, unknown>;
  authorization: string;
}

/** What a stand-in answers: a result, or `{ error }`; undefined for silence. */
export type StandIn = (request: ReceivedRequest) => object | undefined | Promise<object | undefined>;

/** A broker with Holdline's streams and nothing of Holdline: tests of the outside stand in for it. */
export class TestBroker {
  private readonly connections: NatsConnection[] = [];

  private constructor(readonly nats: TestNats) {}

  static async start(): Promise<TestBroker> {
    const broker = new TestBroker(await TestNats.start());
    const nc = await connectBroker({ servers: broker.nats.url, name: 'test set-up' });
    await ensureStreams(nc);
    await nc.close();
    return broker;
  }

  async connect(): Promise<NatsConnection> {
    const nc = await connect({ servers: this.nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    this.connections.push(nc);
    return nc;
  }

  /** Answers a method in Holdline's place. */
  async answer(method: Method, standIn: StandIn): Promise<{ received: ReceivedRequest[]; stop(): void }> {
    const nc = await this.connect();
    const received: ReceivedRequest[] = [];
    const subscription = nc.subscribe(subjectOfMethod(method), {
      callback: (_error, message) => {
        const { id, ...rest } = message.json<{ id: string; method: string; params: Record<string, unknown> }>();
        const request = { ...rest, authorization: message.headers?.get('Authorization') ?? '' };
        received.push(request);
        void Promise.resolve(standIn(request)).then((answer) => {
          if (answer === undefined) return;
          const body = 'error' in answer ? (answer as { error: RpcErrorBody }) : { result: answer };
          message.respond(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
        });
      },
    });
    await nc.flush();
    return { received, stop: () => subscription.unsubscribe() };
  }

  /** Ends the connections that it made, and the server. */
  async close(): Promise<void> {
    await Promise.all(this.connections.map((nc) => nc.close()));
    await this.nats.close();
  }
}
