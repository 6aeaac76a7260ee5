import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/nats-core';
import { type Service, type ServiceMsg, Svcm } from '@nats-io/services';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import { internal, methodNotFound, RpcError, unavailable } from '#contracts/errors.js';
import { methodOfSubject, subjectOfMethod } from '#contracts/methods.js';
import { bearerTokenOf } from './bearer-token.js';
import { type BrokerLogger, SILENT_LOGGER } from './broker-logger.js';
import { EndpointFigures } from './endpoint-figures.js';
import { readRequest } from './json-rpc-request.js';
import { RequestSlots } from './request-slots.js';
import { requestSource } from './request-source.js';
import type { RpcContext } from './rpc-context.js';
import { RpcReply } from './rpc-reply.js';

export type { RpcContext } from './rpc-context.js';

export interface JsonRpcServerOptions {
  nc: NatsConnection;
  /** Name of the micro service: letters, digits, `-` and `_`. */
  serviceName: string;
  /** Semantic version, shown by `nats micro`. */
  version: string;
  /**
   * Method prefixes such as `nexo/admin/processing` whose unknown verbs are answered `method_not_found`.
   * Default: those of the registered methods.
   */
  domains?: string[];
  logger?: BrokerLogger;
  /** Told of a request to a registered method that is refused before it gets to a handler; the answer waits for it. */
  onRefused?: (request: RpcContext, payload: Uint8Array, answer: RpcError) => Promise<void>;
  /** Requests carried out at the same time; others wait. Default 256. */
  maxInFlight?: number;
  /** Memory for requests that wait; when it is used up, others are answered `unavailable`. Default 64 MiB. */
  maxQueuedBytes?: number;
  /** How long close() waits for requests in flight. Default 8,000. */
  drainTimeoutMs?: number;
}

/**
 * JSON-RPC 2.0 over NATS for Nest: every `@MessagePattern('nexo/…')` is an endpoint of one NATS micro service, and any
 * NATS client can call it. A handler gets the params (an object) and an {@link RpcContext}; it throws {@link RpcError}
 * for the errors of the contract, and anything else is logged and answered `internal`. Needs {@link RpcErrorFilter}.
 * The connection stays the caller's: close() ends the service and leaves the connection open.
 */
export class JsonRpcServer extends Server implements CustomTransportStrategy {
  override readonly transportId = Symbol('json-rpc');
  private readonly log: BrokerLogger;
  private readonly slots: RequestSlots;
  private service: Service | undefined;

  constructor(private readonly options: JsonRpcServerOptions) {
    super();
    this.log = options.logger ?? SILENT_LOGGER;
    this.slots = new RequestSlots({
      maxRunning: options.maxInFlight ?? 256,
      maxQueuedBytes: options.maxQueuedBytes ?? 64 * 1024 ** 2,
    });
  }

  /** False before listen(), after close(), and if the broker took a subscription away. */
  get serving(): boolean {
    return this.service?.isStopped === false;
  }

  listen(callback: (error?: Error) => void): void {
    this.start().then(() => callback(), callback);
  }

  /** Takes no more requests, finishes those in flight and sends their answers. */
  async close(): Promise<void> {
    const service = this.service;
    if (!service) return;
    this.service = undefined;
    const { nc, drainTimeoutMs = 8_000 } = this.options;
    const deadline = Date.now() + drainTimeoutMs;
    await within(drainTimeoutMs, service.stop());
    const finished = await this.slots.drain(Math.max(0, deadline - Date.now()));
    if (!finished) this.log.warn({ drainTimeoutMs }, 'requests were still in flight when the service stopped');
    if (!nc.isClosed()) await within(Math.max(100, deadline - Date.now()), nc.flush());
  }

  override on(): never {
    throw new Error('the JSON-RPC server emits no events');
  }

  override unwrap<T>(): T {
    return this.service as T;
  }

  private async start(): Promise<void> {
    const { nc, serviceName, version } = this.options;
    for (const [method, { isEventHandler }] of this.messageHandlers) {
      if (isEventHandler) throw new Error(`${method} is an event handler; JSON-RPC has none`);
    }
    const figures = new Map<string, EndpointFigures>();
    const service = (this.service = await new Svcm(nc).add({
      name: serviceName,
      version,
      queue: serviceName,
      description: 'JSON-RPC 2.0 commands',
      statsHandler: ({ subject }) => Promise.resolve(figures.get(subject)?.toJson()),
    }));
    void service.stopped.then((error) => {
      if (error) this.log.error({ err: error, serviceName }, 'the service stopped by itself');
    });
    const addEndpoint = (name: string, subject: string, queue: string, receive: Receive) => {
      const counted = new EndpointFigures();
      figures.set(subject, counted);
      service.addEndpoint(name, { subject, queue, handler: (_error, message) => receive(message, counted) });
    };
    for (const [method, handler] of this.messageHandlers) {
      addEndpoint(endpointName(method), subjectOfMethod(method), serviceName, (message, counted) =>
        this.receive(message, method, handler, counted),
      );
    }
    // Within one queue group the server would give a known verb to either endpoint.
    const unknownQueue = `${serviceName}-unknown`;
    for (const domain of this.options.domains ?? domainsOf(this.messageHandlers.keys())) {
      addEndpoint(`${endpointName(domain)}_unknown`, `${subjectOfMethod(domain)}.>`, unknownQueue, (message, counted) =>
        this.refuseUnknown(message, counted),
      );
    }
    await nc.flush();
  }

  private receive(message: ServiceMsg, method: string, handler: MessageHandler, figures: EndpointFigures): void {
    const request = readRequest(message.data, method);
    const reply = new RpcReply(message, request.id, figures, this.log);
    const context = contextOf(message, method);
    if ('error' in request) return this.refuse(message, context, request.error, reply);
    const accepted = this.slots.add({
      bytes: message.data.length + WAITING_REQUEST_BYTES,
      run: async () => {
        const startedAt = performance.now();
        await this.carryOut(() => handler(request.params, context), context, reply);
        figures.countFinished(performance.now() - startedAt);
      },
      drop: () => reply.error(unavailable('the service is stopping; ask again')),
    });
    if (!accepted) reply.error(unavailable('too many requests are waiting; ask again later'));
  }

  private refuse(message: ServiceMsg, context: RpcContext, answer: RpcError, reply: RpcReply): void {
    const { onRefused } = this.options;
    const answerNow = () => reply.error(answer);
    const tell = async () => {
      await onRefused?.(context, message.data, answer).catch((error: unknown) => {
        if (!(error instanceof RpcError)) this.hide(error, context);
      });
      answerNow();
    };
    const bytes = message.data.length + WAITING_REQUEST_BYTES;
    if (onRefused === undefined || !this.slots.add({ bytes, run: tell, drop: answerNow })) answerNow();
  }

  private refuseUnknown(message: ServiceMsg, figures: EndpointFigures): void {
    const method = methodOfSubject(message.subject);
    if (this.messageHandlers.has(method)) return;
    const request = readRequest(message.data, method);
    const reply = new RpcReply(message, request.id, figures, this.log);
    reply.error('error' in request ? request.error : methodNotFound(method));
  }

  private async carryOut(handle: () => Promise<unknown>, context: RpcContext, reply: RpcReply): Promise<void> {
    try {
      const outcome = await handle();
      reply.result(isObservable(outcome) ? await lastValueFrom(outcome, { defaultValue: null }) : outcome);
    } catch (error) {
      reply.error(error instanceof RpcError ? error : this.hide(error, context));
    }
  }

  private hide(error: unknown, { method, correlationId }: RpcContext): RpcError {
    this.log.error({ err: error, correlation_id: correlationId, method }, 'a request failed');
    return internal(correlationId);
  }
}

/** What a waiting request costs besides its payload. */
const WAITING_REQUEST_BYTES = 1_024;

type Receive = (message: ServiceMsg, figures: EndpointFigures) => void;

function contextOf(message: ServiceMsg, method: string): RpcContext {
  const bearerToken = bearerTokenOf(message.headers);
  const source = requestSource(message.reply);
  return {
    method,
    subject: message.subject,
    correlationId: randomUUID(),
    requestBytes: message.data.length,
    ...(bearerToken !== undefined && { bearerToken }),
    ...(source !== undefined && { source }),
  };
}

/** `nexo/admin/processing/pause` → `admin_processing_pause` */
function endpointName(method: string): string {
  return method.split('/').slice(1).join('_');
}

function domainsOf(methods: Iterable<string>): Set<string> {
  return new Set([...methods].map((method) => method.slice(0, method.lastIndexOf('/'))));
}

async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, delay(timeoutMs, undefined, { signal: timer.signal })]).catch(() => {});
  timer.abort();
}
