import 'reflect-metadata';

import { Column, DataSource, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Event pattern, and so subject, of the stock service's messages. */
export const STOCK_INBOUND = 'stock.inbound';
/** Event pattern of the turns that the stock service emits. */
export const STOCK_TURN = 'stock.turn';

@Entity('conversations')
@Index(['agentId', 'channel', 'accountId', 'contactId'], { unique: true })
export class StockConversation {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  agentId!: string;

  @Column('text')
  channel!: string;

  @Column('text')
  accountId!: string;

  @Column('text')
  contactId!: string;

  @Column('boolean', { default: false })
  paused!: boolean;
}

@Entity('messages')
@Index(['conversationId', 'sentAtMs'])
export class StockMessage {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  conversationId!: string;

  @Column('uuid')
  messageId!: string;

  @Column('text')
  role!: string;

  @Column('text')
  body!: string;

  @Column('bigint')
  sentAtMs!: number;

  @Column('text')
  senderId!: string;

  @Column('text')
  sourcePlugin!: string;
}

export function stockDataSource(url: string): DataSource {
  return new DataSource({ type: 'postgres', url, entities: [StockConversation, StockMessage], synchronize: true });
}
