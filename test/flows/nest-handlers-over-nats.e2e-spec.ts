import { Controller, type INestMicroservice, Inject, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, MessagePattern, type MicroserviceOptions, Payload } from '@nestjs/microservices';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { of, throwError } from 'rxjs';

import { connectBroker } from '#broker/connection.js';
import { JsonRpcServer, type RpcContext } from '#broker/json-rpc-server.js';
import { RpcErrorFilter } from '#broker/rpc-error-filter.js';
import { conflict } from '#contracts/errors.js';

import { TestNats } from '../harness/nats.js';

@Injectable()
class Greeter {
  greet(name: unknown): string {
    return `hello ${String(name)}`;
  }
}

@Controller()
class Handlers {
  constructor(@Inject(Greeter) private readonly greeter: Greeter) {}

  @MessagePattern(['nexo/admin/demo/greet', 'nexo/admin/demo/welcome'])
  greet(@Payload() params: { name?: unknown }, @Ctx() context: RpcContext): object {
    return { text: this.greeter.greet(params.name), method: context.method };
  }

  @MessagePattern('nexo/admin/demo/observe')
  observe() {
    return of('observed');
  }

  @MessagePattern('nexo/admin/demo/refuse')
  async refuse(): Promise<never> {
    throw conflict('stale_epoch', 'the epoch is 3');
  }

  @MessagePattern('nexo/admin/demo/refuse_later')
  refuseLater() {
    return throwError(() => conflict('stale_epoch', 'the epoch is 4'));
  }

  @MessagePattern('nexo/admin/demo/break')
  break(): never {
    throw new TypeError('a secret');
  }
}

@Module({ controllers: [Handlers], providers: [Greeter] })
class DemoModule {}

describe('a handler of Nest', () => {
  let nats: TestNats;
  let nc: NatsConnection;
  let client: NatsConnection;
  let service: INestMicroservice;
  const failures: unknown[] = [];

  beforeAll(async () => {
    nats = await TestNats.start();
    nc = await connectBroker({ servers: nats.url, name: 'nest' });
    client = await connect({ servers: nats.url });
    const error = (fields: object) => void failures.push(fields);
    const strategy = new JsonRpcServer({
      ...{ nc, serviceName: 'demo', version: '1.0.0' },
      logger: { info: () => {}, warn: () => {}, error },
    });
    service = await NestFactory.createMicroservice<MicroserviceOptions>(DemoModule, { strategy, logger: false });
    service.useGlobalFilters(new RpcErrorFilter());
    await service.listen();
  });

  afterAll(async () => {
    await service.close();
    await nc.close();
    await client.close();
    await nats.stop();
  });

  test('is called with params and context by any NATS client', async () => {
    expect(await ask('nexo/admin/demo/greet', { name: 'Ann' })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { text: 'hello Ann', method: 'nexo/admin/demo/greet' },
    });
    expect(await ask('nexo/admin/demo/welcome')).toMatchObject({ result: { method: 'nexo/admin/demo/welcome' } });
    expect(await ask('nexo/admin/demo/observe')).toMatchObject({ result: 'observed' });
  });

  test('has its contract errors answered as they are', async () => {
    expect(await ask('nexo/admin/demo/refuse')).toMatchObject({
      error: { code: -32005, message: 'conflict: stale_epoch: the epoch is 3', data: { reason: 'stale_epoch' } },
    });
    expect(await ask('nexo/admin/demo/refuse_later')).toMatchObject({ error: { code: -32005 } });
    expect(failures).toEqual([]);
  });

  test('has its other errors hidden from the caller and logged as they were thrown', async () => {
    const answer = await ask('nexo/admin/demo/break');
    expect(answer).toMatchObject({ error: { code: -32603 } });
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(failures).toEqual([expect.objectContaining({ err: new TypeError('a secret') })]);
  });

  async function ask(method: string, params: object = {}): Promise<unknown> {
    const payload = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return (await client.request(method.replaceAll('/', '.'), payload, { timeout: 5_000 })).json();
  }
});
