import { connectBroker } from '#broker/connection.js';
import { ensureStreams } from '#broker/topology.js';
import { ALL_CAPABILITIES, type Capability } from '#contracts/capabilities.js';
import { tokenHash } from '#domain/operators/token-hash.js';
import { createDataSource } from '#store/data-source.js';
import { newToken } from '#store/operators.js';
import { insertOperator } from '#store/queries/insert-operator.js';
import { withTransaction } from '#store/transaction.js';

import { TestClient } from './client.js';
import { bootConversations, type BootedConversations, SpawnedConversations } from './conversations.js';
import { type BootedGateway, bootGateway, type BootGatewayOptions } from './gateway.js';
import { TestNats } from './nats.js';
import { TestDatabase } from './postgres.js';

/** How to run a conversations process: see `ConversationsOptions`. */
export interface RunOptions {
  env?: Record<string, string>;
  dontWait?: boolean;
}

export interface TestOperator {
  token: string;
  /** The `operator_token_hash` of its commands. */
  hash: string;
}

/**
 * All that a flow test needs, on a database and a broker of its own: make one in `beforeAll`, close it in `afterAll`.
 * `close` stops in order whatever the test began through it, and fails when anything else is still connected.
 */
export class Harness {
  private readonly closers: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly nats: TestNats,
  ) {}

  /** A migrated database and a broker with all streams; nothing of ours runs yet. */
  static async create(): Promise<Harness> {
    const [database, nats] = await Promise.all([TestDatabase.create(), TestNats.start()]);
    const nc = await connectBroker({ servers: nats.url, name: 'test set-up' });
    await ensureStreams(nc);
    await nc.close();
    return new Harness(database, nats);
  }

  /** Runs conversations in this process. */
  async boot(options: RunOptions = {}): Promise<BootedConversations> {
    const booted = await bootConversations({ ...this.urls(), ...options });
    this.closers.push(() => booted.stop());
    return booted;
  }

  /** Serves HTTP in this process. */
  async gateway(options: Omit<BootGatewayOptions, 'natsUrl'> = {}): Promise<BootedGateway> {
    const gateway = await bootGateway({ natsUrl: this.nats.url, ...options });
    this.closers.push(() => gateway.stop());
    return gateway;
  }

  /** Runs conversations as a process of its own, from what was built. */
  async spawn(options: RunOptions = {}): Promise<SpawnedConversations> {
    const spawned = await SpawnedConversations.start({ ...this.urls(), ...options });
    this.closers.push(async () => spawned.process.hasEnded || spawned.stop());
    return spawned;
  }

  /**
   * A client on a connection of its own.
   * @param operator `operator_token_hash` of its commands, or an operator whose token they carry.
   */
  async connect(operator: string | TestOperator = 'ops'): Promise<TestClient> {
    const client = await (typeof operator === 'string'
      ? TestClient.connect(this.nats.url, operator)
      : TestClient.connect(this.nats.url, operator.hash, operator.token));
    this.closers.push(() => client.close());
    return client;
  }

  /** Makes an operator, for processes that run with `HOLDLINE_ADMIN_AUTH=token`. */
  async createOperator(capabilities: readonly Capability[] = ALL_CAPABILITIES): Promise<TestOperator> {
    const token = newToken();
    const dataSource = createDataSource({ url: this.database.url, poolSize: 1, applicationName: 'test set-up' });
    await dataSource.initialize();
    const operator = { token, name: 'a test operator', capabilities, createdAtMs: Date.now() };
    await withTransaction(dataSource, (tx) => insertOperator(tx, operator));
    await dataSource.destroy();
    return { token, hash: tokenHash(token) };
  }

  async close(): Promise<void> {
    const ends = [...this.closers].reverse().map((close) => close());
    const results = await Promise.allSettled(ends);
    results.push(...(await Promise.allSettled([this.nats.close(), this.database.drop()])));
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('\n'));
  }

  private urls(): { databaseUrl: string; natsUrl: string } {
    return { databaseUrl: this.database.url, natsUrl: this.nats.url };
  }
}
