/**
 * (a) The service that one would write first: Nest's own NATS transport, a TypeORM repository, one handler. It runs as
 * a process of its own and tells its parent when it listens. Environment: DATABASE_URL, NATS_URL.
 */
import 'reflect-metadata';

import { Controller, Inject, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  type ClientProxy,
  ClientsModule,
  EventPattern,
  type MicroserviceOptions,
  Payload,
  Transport,
} from '@nestjs/microservices';
import { DataSource, type Repository } from 'typeorm';

import type { SampleMessage } from '../workload.js';
import { STOCK_INBOUND, STOCK_TURN, StockConversation, stockDataSource, StockMessage } from './stock-schema.js';

const nats = { servers: [process.env['NATS_URL'] ?? ''] };
const TURNS = Symbol('client that emits the turns');

@Controller()
class StockController {
  private readonly conversations: Repository<StockConversation>;
  private readonly messages: Repository<StockMessage>;

  constructor(
    @Inject(DataSource) dataSource: DataSource,
    @Inject(TURNS) private readonly client: ClientProxy,
  ) {
    this.conversations = dataSource.getRepository(StockConversation);
    this.messages = dataSource.getRepository(StockMessage);
  }

  @EventPattern(STOCK_INBOUND)
  async receive(@Payload() { scope, inbound }: SampleMessage): Promise<void> {
    const conversation = await this.conversations.findOneOrFail({
      where: {
        agentId: scope.agent_id,
        channel: scope.channel,
        accountId: scope.account_id,
        contactId: scope.contact_id,
      },
    });
    if (conversation.paused) return;
    const message = await this.messages.save({
      conversationId: conversation.id,
      messageId: inbound.message_id,
      role: 'user',
      body: inbound.body,
      sentAtMs: inbound.timestamp_ms,
      senderId: inbound.from_contact_id,
      sourcePlugin: inbound.source_plugin,
    });
    this.client.emit(STOCK_TURN, { kind: 'turn', turn_id: message.id, scope, inbounds: [inbound] });
  }
}

@Module({
  imports: [ClientsModule.register([{ name: TURNS, transport: Transport.NATS, options: nats }])],
  controllers: [StockController],
  providers: [
    { provide: DataSource, useFactory: () => stockDataSource(process.env['DATABASE_URL'] ?? '').initialize() },
  ],
})
class StockModule {}

const app = await NestFactory.createMicroservice<MicroserviceOptions>(StockModule, {
  transport: Transport.NATS,
  options: nats,
  logger: ['error', 'warn'],
});
await app.listen();
process.once('disconnect', () => process.exit(0));
process.send?.('listening');
