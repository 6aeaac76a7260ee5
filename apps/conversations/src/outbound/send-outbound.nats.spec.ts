import { randomUUID } from 'node:crypto';

import type { NatsConnection } from '@nats-io/nats-core';
import type { DataSource } from 'typeorm';

import { connectBroker } from '#broker/connection.js';
import { conversationId } from '#domain/conversation/conversation-id.js';
import { createRedactor } from '#domain/redaction/redactor.js';
import { createLogger } from '#runtime/logger.js';
import { Metrics } from '#runtime/metrics.js';
import { createDataSource } from '#store/data-source.js';
import { lockConversation, lockOrCreateConversation } from '#store/queries/lock-conversation.js';
import { lockOutbox } from '#store/queries/lock-outbox.js';
import { withTransaction } from '#store/transaction.js';

import { HeldRow } from '../../../../test/flows/support/held-row.js';
import { outboundsOf, reply } from '../../../../test/flows/support/replies.js';
import { newScope } from '../../../../test/harness/client.js';
import { Gate, GatedRequests } from '../../../../test/harness/gated-requests.js';
import { FakeChannel } from '../../../../test/harness/fake-channel.js';
import { TestNats } from '../../../../test/harness/nats.js';
import { TestDatabase } from '../../../../test/harness/postgres.js';
import { waitFor } from '../../../../test/harness/wait-for.js';
import type { OutboxRelay } from '../outbox-relay.js';
import type { OutboundDependencies } from './outbound-dependencies.js';
import { recallUnsent } from './recall-unsent.js';
import { sendOutbound } from './send-outbound.js';
import { sweepOutbounds } from './sweep-outbounds.js';

const TIMEOUT_MS = 5_000;

describe('a message to a channel', () => {
  let database: TestDatabase;
  let nats: TestNats;
  let nc: NatsConnection;
  let channel: FakeChannel;
  let dataSource: DataSource;

  beforeAll(async () => {
    [database, nats] = await Promise.all([TestDatabase.create(), TestNats.start()]);
    nc = await connectBroker({ servers: nats.url, name: 'test' });
    dataSource = createDataSource({ url: database.url, poolSize: 8, applicationName: 'sender' });
    await dataSource.initialize();
    channel = await FakeChannel.of(nc, newScope());
  });
  beforeEach(() => {
    channel.answer = () => ({ outbound_message_id: 'wamid.1' });
  });
  afterAll(async () => {
    await dataSource.destroy();
    await nc.close();
    await nats.close();
    await database.drop();
  });

  async function set(origin: 'agent' | 'operator' = 'agent') {
    const scope = newScope();
    const session = randomUUID();
    const id = conversationId(scope);
    await withTransaction(dataSource, (tx) =>
      lockOrCreateConversation(tx, {
        conversationId: id,
        agentId: scope.agent_id,
        channel: scope.channel,
        accountId: scope.account_id,
        contactId: scope.contact_id,
        mcpChannelSource: null,
        sessionId: session,
      }),
    );
    const channels = new GatedRequests(nc, TIMEOUT_MS);
    const deps: OutboundDependencies = {
      dataSource,
      relay: { nudge: () => undefined } as unknown as OutboxRelay,
      redactor: createRedactor(),
      logger: createLogger('test', 'fatal', { write: () => undefined }),
      metrics: new Metrics(),
      channels,
    };
    const outboundId = randomUUID();
    const turnId = randomUUID();
    const send = () =>
      sendOutbound(deps, {
        outboundId,
        scope,
        admit: async () => ({
          kind: 'send',
          outbound: {
            origin,
            action: reply(scope),
            turnId,
            answersArrival: 7,
            line: { sessionId: session, sourcePlugin: 'x' },
          },
        }),
      });
    /** What a pause does with what the agent wants to say. */
    const pause = () =>
      withTransaction(dataSource, async (tx) => {
        await lockConversation(tx, id);
        await lockOutbox(tx, id);
        return recallUnsent(tx, id);
      });
    const asked = () => channel.asked.filter(({ to }) => to === scope.contact_id).length;
    const stored = async () => (await outboundsOf(database, scope))[0];
    const lines = () => database.query('SELECT delivery FROM entries WHERE session_id = $1', [session]);
    const answered = async () => {
      const [row] = await database.query<{ at: string }>(
        'SELECT agent_answered_arrival AS at FROM conversations WHERE conversation_id = $1',
        [id],
      );
      return Number(row?.at);
    };
    return { scope, deps, channels, outboundId, turnId, send, pause, asked, stored, lines, answered };
  }

  const waitingForLock = (count: number) =>
    waitFor(async () => {
      const rows = await database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length === count;
    });

  it('of the agent is recalled by a pause that comes before the channel was asked, and never sent', async () => {
    const one = await set();
    one.channels.beforeHandOver = new Gate();
    const sending = one.send();
    await one.channels.beforeHandOver.reached;
    const recalled = await one.pause();
    one.channels.beforeHandOver.release();
    expect(recalled).toEqual([
      {
        outboundId: one.outboundId,
        turnId: one.turnId,
        epoch: 0,
        action: reply(one.scope),
        createdAtMs: expect.any(Number),
      },
    ]);
    expect(await sending).toEqual({ status: 'recalled' });
    expect(one.asked()).toBe(0);
    expect(await one.stored()).toMatchObject({ status: 'recalled', body: '' });
    expect(await one.answered()).toBe(-1);
    expect(await one.send()).toEqual({ status: 'recalled' });
  });

  it('has a pause wait while it is being handed over, and counts as said then', async () => {
    const one = await set();
    one.channels.duringHandOver = new Gate();
    const sending = one.send();
    await one.channels.duringHandOver.reached;
    let isPaused = false;
    const pausing = one.pause().finally(() => (isPaused = true));
    await waitingForLock(1);
    expect(isPaused).toBe(false);
    one.channels.duringHandOver.release();
    expect(await pausing).toEqual([]);
    expect(await sending).toMatchObject({ status: 'sent', stamped: true });
    expect(await one.answered()).toBe(7);
  });

  it('does not keep a pause waiting while the channel is slow', async () => {
    const one = await set();
    let answer: (ack: object) => void = () => undefined;
    channel.answer = () => new Promise((resolve) => (answer = resolve));
    const sending = one.send();
    await waitFor(async () => (await one.stored())?.status === 'handed_over');
    expect(await one.pause()).toEqual([]);
    answer({ outbound_message_id: 'wamid.2' });
    expect(await sending).toEqual({
      status: 'sent',
      outboundId: one.outboundId,
      outboundMessageId: 'wamid.2',
      stamped: true,
    });
    expect(await one.lines()).toEqual([{ delivery: 'sent' }]);
  });

  it('of an operator is not recalled', async () => {
    const one = await set('operator');
    one.channels.beforeHandOver = new Gate();
    const sending = one.send();
    await one.channels.beforeHandOver.reached;
    expect(await one.pause()).toEqual([]);
    one.channels.beforeHandOver.release();
    expect(await sending).toMatchObject({ status: 'sent' });
  });

  it('is handed over once however many send it', async () => {
    const one = await set();
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => one.send()));
    expect(outcomes).toEqual(outcomes.map(() => outcomes[0]));
    expect(outcomes[0]).toMatchObject({ status: 'sent' });
    expect(one.asked()).toBe(1);
    expect(await one.lines()).toHaveLength(1);
  });

  it('that nobody took may be sent again under the same id', async () => {
    const one = await set();
    await channel.leave();
    expect(await one.send()).toEqual({ status: 'unavailable', missing: 'channel' });
    expect(await one.answered()).toBe(-1);
    await channel.listen();
    expect(await one.send()).toMatchObject({ status: 'sent', outboundId: one.outboundId });
  });

  it('counts as lost once its time is over, whatever its sender still learns', async () => {
    const one = await set();
    let answer: (ack: object) => void = () => undefined;
    channel.answer = () => new Promise((resolve) => (answer = resolve));
    const sending = one.send();
    await waitFor(async () => (await one.stored())?.status === 'handed_over');
    expect(await sweepOutbounds(one.deps)).toBe(0);
    await database.query('UPDATE outbounds SET expires_at_ms = 0 WHERE outbound_id = $1', [one.outboundId]);
    expect(await sweepOutbounds(one.deps)).toBe(1);
    answer({});
    expect(await sending).toEqual({ status: 'unknown' });
    expect(await one.stored()).toMatchObject({ status: 'unknown', reason: 'sender_ended' });
    expect(await one.lines()).toEqual([]);
    expect(await one.answered()).toBe(7);
  });

  it('that is found lost is left alone if its sender has recorded the outcome meanwhile', async () => {
    const one = await set();
    let answer: (ack: object) => void = () => undefined;
    channel.answer = () => new Promise((resolve) => (answer = resolve));
    const sending = one.send();
    await waitFor(async () => (await one.stored())?.status === 'handed_over');
    const row = await HeldRow.of(database, one.scope);
    answer({});
    await row.untilWaitedFor(1);
    await database.query('UPDATE outbounds SET expires_at_ms = 0 WHERE outbound_id = $1', [one.outboundId]);
    const sweeping = sweepOutbounds(one.deps);
    await row.untilWaitedFor(2);
    await row.release();
    await sweeping;
    expect(await sending).toMatchObject({ status: 'sent' });
    expect(await one.stored()).toMatchObject({ status: 'sent' });
  });

  it('was sent, whatever a pause has made of it, when the connection broke during the hand-over', async () => {
    const one = await set();
    one.channels.duringHandOver = new Gate();
    const sending = one.send();
    await one.channels.duringHandOver.reached;
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'sender' AND state LIKE 'idle in%'`,
    );
    expect(await one.pause()).toHaveLength(1);
    one.channels.duringHandOver.release();
    expect(await sending).toMatchObject({ status: 'sent', stamped: true });
    expect(await one.stored()).toMatchObject({ status: 'sent', body: 'Good morning' });
    expect(one.asked()).toBe(1);
  });

  it('has an unknown outcome when what the channel answered cannot be recorded', async () => {
    const one = await set();
    channel.answer = async () => {
      await database.cutOff();
      return {};
    };
    expect(await one.send()).toEqual({ status: 'unknown' });
    await database.bringBack();
    expect(await one.stored()).toMatchObject({ status: 'handed_over' });
  });

  it('is not written to a broker that does not answer', async () => {
    const one = await set();
    nats.freeze();
    const outcome = await one.send();
    nats.thaw();
    expect(outcome).toEqual({ status: 'unavailable', missing: 'broker' });
    await nc.flush();
    expect(one.asked()).toBe(0);
  });
});
