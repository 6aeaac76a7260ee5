import { randomUUID } from 'node:crypto';

import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection, Subscription } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';

import { ensureStreams } from '#broker/topology.js';
import { AgentReplyParams } from '#contracts/agent-reply.js';
import type { Hold } from '#contracts/hold.js';
import { InboundMessage } from '#contracts/inbound-message.js';
import type { OutboundMessage } from '#contracts/outbound-message.js';
import { channelSendSubject, inboundSubject, STREAMS, turnSubject } from '#contracts/subjects.js';
import type { Turn } from '#contracts/turn.js';
import { createLogger } from '#runtime/logger.js';

import { TestNats } from '../../../test/harness/nats.js';
import { waitFor } from '../../../test/harness/wait-for.js';
import { DEMO_AGENT_ID, DEMO_CONTACTS, type DemoContact } from './demo-contacts.js';
import type { Pace } from './pace.js';
import { runPlayground } from './run.js';

const HOUR_MS = 3_600_000;
const LIVELY: Pace = { firstMessage: [0, 20], nextMessage: [10, 50], answer: [0, 1] };
/** Nobody writes; the agent answers at once. */
const SILENT: Pace = { firstMessage: [HOUR_MS, HOUR_MS], nextMessage: [HOUR_MS, HOUR_MS], answer: [0, 1] };
/** Nobody writes; the agent never gets as far as an answer. */
const SLOW: Pace = { ...SILENT, answer: [HOUR_MS, HOUR_MS] };

const { scope } = DEMO_CONTACTS[0] as DemoContact;

describe('the playground', () => {
  let server: TestNats;
  let observer: NatsConnection;
  let nc: NatsConnection;
  let js: JetStreamClient;
  let jsm: JetStreamManager;
  let logged: Record<string, unknown>[];
  let replies: AgentReplyParams[];
  let replyService: Subscription | undefined;
  let playground: Awaited<ReturnType<typeof runPlayground>> | undefined;

  beforeAll(async () => {
    server = await TestNats.start();
    observer = await connect({ servers: server.url });
    js = jetstream(observer);
    jsm = await jetstreamManager(observer);
    await ensureStreams(observer);
  });

  afterAll(async () => {
    await observer.close();
    await server.stop();
  });

  beforeEach(async () => {
    for (const stream of [STREAMS.inbound, STREAMS.turns]) await jsm.streams.purge(stream);
    nc = await connect({ servers: server.url });
    logged = [];
    replies = [];
  });

  afterEach(async () => {
    await playground?.stop();
    playground = undefined;
    replyService?.unsubscribe();
    await nc.close();
    for await (const consumer of jsm.consumers.list(STREAMS.turns))
      await jsm.consumers.delete(STREAMS.turns, consumer.name);
  });

  const start = async (pace: Pace, seed = 1) => {
    const logger = createLogger('playground', 'debug', { write: (line) => void logged.push(JSON.parse(line)) });
    playground = await runPlayground({ nc, logger, pace, seed });
  };
  const takeReplies = () => {
    replyService = observer.subscribe('nexo.agent.reply', {
      callback: (_error, request) => {
        const { id, params } = request.json<{ id: string; params: unknown }>();
        replies.push(AgentReplyParams.parse(params));
        request.respond(JSON.stringify({ jsonrpc: '2.0', id, result: { status: 'sent' } }));
      },
    });
  };
  const turn = (epoch = 0, body = 'When do you open?'): Turn => ({
    kind: 'turn',
    turn_id: randomUUID(),
    agent_id: DEMO_AGENT_ID,
    scope,
    session_id: randomUUID(),
    epoch,
    cause: 'inbound',
    inbounds: [{ from_contact_id: scope.contact_id, body, timestamp_ms: 1, source_plugin: 'demo' }],
  });
  const publish = (message: Turn | Hold) => js.publish(turnSubject(scope), JSON.stringify(message));
  const allHandled = () =>
    waitFor(
      async () => {
        const { ack_floor } = await jsm.consumers.info(STREAMS.turns, DEMO_AGENT_ID);
        return ack_floor.stream_seq === (await jsm.streams.info(STREAMS.turns)).state.last_seq;
      },
      { what: 'The acknowledgement of every message' },
    );

  test('contacts write messages that the contract accepts, each under an id of its own', async () => {
    await start(LIVELY);
    const { state } = await waitFor(async () => {
      const info = await jsm.streams.info(STREAMS.inbound);
      return info.state.messages >= 40 && info;
    });
    const ids = new Set<string>();
    const writers = new Set<string>();
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const stored = await jsm.streams.getMessage(STREAMS.inbound, { seq });
      const message = InboundMessage.parse(stored?.json());
      expect(stored?.subject).toBe(inboundSubject(message.scope));
      expect(stored?.header.get('Nats-Msg-Id')).toBe(message.inbound.message_id);
      ids.add(message.inbound.message_id as string);
      writers.add(message.scope.contact_id);
    }
    expect(ids.size).toBe(state.messages);
    expect([...writers].sort()).toEqual(DEMO_CONTACTS.map((contact) => contact.scope.contact_id).sort());
  });

  test('contacts who find no inbound stream send the same message once there is one', async () => {
    await jsm.streams.delete(STREAMS.inbound);
    await start({ ...SILENT, firstMessage: [0, 0] });
    await ensureStreams(observer);
    await waitFor(async () => (await jsm.streams.info(STREAMS.inbound)).state.messages === DEMO_CONTACTS.length);
  });

  test('the agent hands the answer of a turn to Holdline', async () => {
    takeReplies();
    await start(SILENT);
    const sent = turn();
    await publish(sent);
    await allHandled();
    expect(replies).toEqual([
      {
        turn_id: sent.turn_id,
        epoch: 0,
        scope,
        action: {
          kind: 'reply',
          channel: scope.channel,
          account_id: scope.account_id,
          to: scope.contact_id,
          body: 'We are open from nine to six, on Saturdays until two.',
          msg_kind: 'text',
        },
      },
    ]);
  });

  test('the agent answers as soon as somebody takes replies', async () => {
    await start(SILENT);
    const waiting = turn();
    await publish(waiting);
    await waitFor(async () => (await jsm.consumers.info(STREAMS.turns, DEMO_AGENT_ID)).num_ack_pending === 1);
    takeReplies();
    await allHandled();
    expect(replies.map(({ turn_id }) => turn_id)).toEqual([waiting.turn_id]);
  });

  test('a Hold drops the turn that the agent works on and those that wait, and a resume is answered', async () => {
    takeReplies();
    await start(SLOW);
    await publish(turn());
    await publish(turn());
    await publish({ kind: 'hold', agent_id: DEMO_AGENT_ID, scope, epoch: 1 });
    await allHandled();
    await playground?.stop();
    await start(SILENT);
    const resumed = turn(2);
    await publish(resumed);
    await allHandled();
    expect(replies.map(({ turn_id }) => turn_id)).toEqual([resumed.turn_id]);
  });

  test('a turn of an older epoch than the last Hold is dropped', async () => {
    takeReplies();
    await start(SILENT);
    await publish({ kind: 'hold', agent_id: DEMO_AGENT_ID, scope, epoch: 1 });
    await publish(turn(0));
    await allHandled();
    expect(replies).toEqual([]);
  });

  test('a turn that comes twice is answered once', async () => {
    takeReplies();
    await start(SILENT);
    const [first, second] = [turn(), turn()];
    for (const each of [first, first, second, first]) await publish(each);
    await allHandled();
    expect(replies.map(({ turn_id }) => turn_id)).toEqual([first.turn_id, second.turn_id]);
  });

  test('a turn that a stop interrupts stays in the stream for the next start', async () => {
    takeReplies();
    await start(SLOW);
    const interrupted = turn();
    await publish(interrupted);
    await waitFor(async () => (await jsm.consumers.info(STREAMS.turns, DEMO_AGENT_ID)).num_ack_pending === 1);
    await playground?.stop();
    expect((await jsm.consumers.info(STREAMS.turns, DEMO_AGENT_ID)).num_ack_pending).toBe(1);
    expect(replies).toEqual([]);
  });

  test('what is no turn is dropped and those behind it are answered', async () => {
    takeReplies();
    await start(SILENT);
    await js.publish(turnSubject(scope), 'not JSON');
    await publish(turn());
    await allHandled();
    expect(replies).toHaveLength(1);
  });

  test('the channel acknowledges what it is asked to send, and sends a copy no second time', async () => {
    await start(SILENT);
    const message: OutboundMessage = {
      outbound_id: randomUUID(),
      scope,
      channel: scope.channel,
      account_id: scope.account_id,
      to: scope.contact_id,
      body: 'A person has read this.',
      msg_kind: 'text',
      origin: 'operator',
      epoch: 1,
    };
    const subject = channelSendSubject(scope.channel, scope.account_id);
    const request = async (payload: unknown) => (await nc.request(subject, JSON.stringify(payload))).json();
    const first = await request(message);
    expect(first).toEqual({ outbound_message_id: expect.stringMatching(/^demo-/) });
    expect(await request(message)).toEqual(first);
    expect(await request({ ...message, outbound_id: randomUUID() })).not.toEqual(first);
    expect(logged.filter(({ msg }) => msg === 'the demo channel sends')).toHaveLength(2);
    expect(await request({ body: 'to nobody' })).toEqual({ error: { reason: 'not_understood' } });
  });

  test('a stop leaves no timer behind, whatever is under way', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = timers();
    await start({ ...LIVELY, answer: [HOUR_MS, HOUR_MS] });
    await publish(turn());
    await waitFor(async () => (await jsm.consumers.info(STREAMS.turns, DEMO_AGENT_ID)).num_ack_pending > 0);
    expect(timers()).toBeGreaterThan(before);
    await playground?.stop();
    await waitFor(() => timers() <= before, { what: 'The end of every timer' });
  });
});
