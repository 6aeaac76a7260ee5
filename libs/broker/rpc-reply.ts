import type { ServiceMsg } from '@nats-io/services';
import type { RpcError } from '#contracts/errors.js';
import type { JsonRpcId } from '#contracts/json-rpc.js';
import type { BrokerLogger } from './broker-logger.js';
import type { EndpointFigures } from './endpoint-figures.js';

/** The way back to whoever sent a request, if there is one. */
export class RpcReply {
  constructor(
    private readonly message: ServiceMsg,
    private readonly id: JsonRpcId | undefined,
    private readonly figures: EndpointFigures,
    private readonly logger: BrokerLogger,
  ) {}

  /** @throws if the result cannot be written as JSON or is larger than the broker takes */
  result(result: unknown): void {
    this.send({ result: result ?? null });
  }

  error(error: RpcError): void {
    this.figures.countError();
    try {
      this.send({ error: error.toJson() });
    } catch (failure) {
      this.logger.error({ err: failure, subject: this.message.subject }, 'an error could not be answered');
    }
  }

  private send(outcome: { result: unknown } | { error: object }): void {
    if (this.id === undefined || !this.message.reply) return;
    this.message.respond(JSON.stringify({ jsonrpc: '2.0', id: this.id, ...outcome }));
  }
}
