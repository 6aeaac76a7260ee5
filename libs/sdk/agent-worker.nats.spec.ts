import { randomUUID } from 'node:crypto';

import { jetstream, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';

import { unavailable } from '#contracts/errors.js';
import type { Hold } from '#contracts/hold.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { STREAMS, turnSubject } from '#contracts/subjects.js';
import type { Turn } from '#contracts/turn.js';

import { type ReceivedRequest, TestBroker } from '../../test/harness/broker.js';
import { waitFor } from '../../test/harness/wait-for.js';
import type { AgentTurn } from './agent-turn.js';
import { AgentWorker, type AgentWorkerOptions, type TurnHandler } from './agent-worker.js';
import { durableName, isOfShare } from './turn-consumer.js';

const scopeOf = (contact_id: string): ConversationScope => ({
  kind: 'conversation',
  agent_id: 'ana',
  channel: 'whatsapp',
  account_id: '55',
  contact_id,
});
const [ada, bob, eve] = [scopeOf('ada'), scopeOf('bob'), scopeOf('eve')];

describe('AgentWorker', () => {
  let broker: TestBroker;
  let outside: NatsConnection;
  let jsm: JetStreamManager;
  let problems: string[];
  const workers: AgentWorker[] = [];
  /** Ends the handlers that hang as if their process had died. */
  const crashed: (() => void)[] = [];

  beforeAll(async () => {
    broker = await TestBroker.start();
    outside = await broker.connect();
    jsm = await jetstreamManager(outside);
  });

  beforeEach(async () => {
    await jsm.streams.purge(STREAMS.turns);
    problems = [];
  });

  afterEach(async () => {
    for (const end of crashed.splice(0)) end();
    await Promise.all(workers.splice(0).map((worker) => worker.stop({ graceMs: 0 })));
    for await (const { name } of jsm.consumers.list(STREAMS.turns)) await jsm.consumers.delete(STREAMS.turns, name);
  });

  afterAll(() => broker.close());

  const start = async (handler: TurnHandler, options: Partial<AgentWorkerOptions> = {}) => {
    const nc = options.nc ?? (await broker.connect());
    const worker = new AgentWorker({ agentId: 'ana', onProblem: (what) => void problems.push(what), ...options, nc });
    worker.onTurn(handler);
    workers.push(worker);
    return worker;
  };
  const turn = (scope: ConversationScope, body: string, epoch = 0): Turn => ({
    kind: 'turn',
    turn_id: randomUUID(),
    agent_id: 'ana',
    scope,
    session_id: randomUUID(),
    epoch,
    cause: 'inbound',
    inbounds: [{ from_contact_id: scope.contact_id, body, timestamp_ms: 1, source_plugin: 'test' }],
  });
  const publish = async (message: Turn | Hold) => {
    await jetstream(outside).publish(turnSubject(message.scope), JSON.stringify(message));
    return message;
  };
  const say = (scope: ConversationScope, body: string, epoch = 0) => publish(turn(scope, body, epoch));
  const hold = (scope: ConversationScope, epoch: number) => publish({ kind: 'hold', agent_id: 'ana', scope, epoch });
  const textOf = ({ inbounds }: Pick<AgentTurn, 'inbounds'>) => inbounds[0]?.body as string;
  const info = (name = 'ana') => jsm.consumers.info(STREAMS.turns, name);
  const allAcknowledged = (name = 'ana') =>
    waitFor(
      async () => {
        const { num_ack_pending, num_pending } = await info(name);
        return num_ack_pending === 0 && num_pending === 0;
      },
      { timeoutMs: 20_000, what: 'The acknowledgement of every message' },
    );
  const untilAborted = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });

  test('answers the turns of a conversation one at a time, and several conversations at a time', async () => {
    const running: string[] = [];
    const order: string[] = [];
    let most = 0;
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    for (const body of ['1', '2', '3']) for (const scope of [ada, bob, eve]) await say(scope, body);
    await start(
      async (each) => {
        const contact = each.scope.contact_id;
        expect(running).not.toContain(contact);
        running.push(contact);
        most = Math.max(most, running.length);
        if (textOf(each) === '1') await gate;
        order.push(`${contact} ${textOf(each)}`);
        running.splice(running.indexOf(contact), 1);
      },
      { concurrency: 2 },
    );
    await waitFor(() => running.length === 2);
    release();
    await allAcknowledged();
    expect(most).toBe(2);
    for (const contact of ['ada', 'bob', 'eve']) {
      expect(order.filter((each) => each.startsWith(contact))).toEqual([1, 2, 3].map((n) => `${contact} ${n}`));
    }
  });

  test('a Hold aborts what runs and drops what waits; others go on; the resume is answered', async () => {
    const begun: string[] = [];
    const aborted: string[] = [];
    await start(async (each) => {
      begun.push(textOf(each));
      if (textOf(each) !== 'long') return;
      await untilAborted(each.signal);
      aborted.push(textOf(each));
    });
    await say(ada, 'long');
    await waitFor(() => begun.length === 1);
    await say(ada, 'waiting');
    await hold(ada, 1);
    await waitFor(() => aborted.length === 1, { what: 'The abort' });
    await say(ada, 'resumed', 2);
    await say(bob, 'other');
    await allAcknowledged();
    expect(begun.sort()).toEqual(['long', 'other', 'resumed']);
  });

  test('a turn of a newer epoch aborts an older one even if its Hold was never seen', async () => {
    const seen: string[] = [];
    let hasBegun = false;
    await start(async (each) => {
      hasBegun = true;
      if (textOf(each) === 'old') await untilAborted(each.signal);
      seen.push(textOf(each));
    });
    await say(ada, 'old', 0);
    await waitFor(() => hasBegun);
    await say(ada, 'new', 2);
    await say(ada, 'stale', 1);
    await waitFor(() => seen.length === 2);
    await allAcknowledged();
    expect(seen).toEqual(['old', 'new']);
  });

  test('a Hold is heard at once even if the worker has no room for another message', async () => {
    const aborted = new Set<string>();
    await start(
      async (each) => {
        await untilAborted(each.signal);
        aborted.add(textOf(each));
      },
      { concurrency: 1 },
    );
    await Promise.all(Array.from({ length: 1_001 }, (_, count) => say(bob, `turn ${count}`)));
    await waitFor(async () => (await info()).num_ack_pending === 1_000, { timeoutMs: 20_000 });
    await hold(bob, 1);
    await waitFor(() => aborted.size > 0, { what: 'The abort' });
    await allAcknowledged();
    expect(aborted.size).toBe(1);
  });

  test('a turn that comes twice is answered once', async () => {
    const seen: string[] = [];
    const once = turn(ada, 'once');
    await start((each) => void seen.push(textOf(each)));
    for (const each of [once, once, turn(ada, 'twice'), once]) await publish(each);
    await allAcknowledged();
    expect(seen).toEqual(['once', 'twice']);
  });

  test('a turn of long work is not sent again while the worker lives', async () => {
    let runs = 0;
    let redelivered = 0;
    await start(
      async () => {
        runs += 1;
        redelivered = await waitFor(
          async () => (await jsm.consumers.info(STREAMS.turns, 'ana')).num_redelivered || Date.now() > doneAt,
          { timeoutMs: 10_000 },
        ).then((value) => (typeof value === 'number' ? value : 0));
      },
      { ackWaitMs: 1_000 },
    );
    const doneAt = Date.now() + 2_500;
    await say(ada, 'long');
    await waitFor(() => runs === 1);
    await allAcknowledged();
    expect([runs, redelivered]).toEqual([1, 0]);
  });

  test('what a stop interrupts comes again after the next start, before what is new', async () => {
    const first = await start(async (each) => untilAborted(each.signal));
    for (const body of ['1', '2', '3']) await say(ada, body);
    await waitFor(async () => (await info()).num_ack_pending === 3);
    await first.stop({ graceMs: 0 });
    await say(ada, '4');
    const seen: string[] = [];
    await start((each) => void seen.push(textOf(each)));
    await allAcknowledged();
    expect(seen).toEqual(['1', '2', '3', '4']);
  });

  test('what a crash interrupts comes again before what is new, although the server sends it later', async () => {
    const nc = await broker.connect();
    await start(() => new Promise((resolve) => crashed.push(resolve)), { nc, ackWaitMs: 2_000 });
    for (const body of ['1', '2']) await say(ada, body);
    await waitFor(async () => (await info()).num_ack_pending === 2);
    await nc.close();
    await say(ada, '3');
    await say(bob, 'other');
    const seen: string[] = [];
    await start((each) => void seen.push(textOf(each)), { ackWaitMs: 2_000 });
    await allAcknowledged();
    expect(seen.filter((body) => body !== 'other')).toEqual(['1', '2', '3']);
  });

  test('a worker that stops lets its turns end, and begins no other', async () => {
    const seen: string[] = [];
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const worker = await start(async (each) => {
      await gate;
      seen.push(`${textOf(each)} ${each.signal.aborted}`);
    });
    await say(ada, '1');
    await say(ada, '2');
    await waitFor(async () => (await info()).num_ack_pending === 2);
    const stopped = worker.stop();
    release();
    await stopped;
    expect(seen).toEqual(['1 false']);
    expect((await info()).num_ack_pending).toBe(1);
  });

  test('several workers share the conversations, each in order, and hear the Holds of theirs', async () => {
    const scopes = Array.from({ length: 12 }, (_, index) => scopeOf(`contact ${index}`));
    const seen: { worker: number; contact: string; body: string }[] = [];
    for (const index of [0, 1, 2]) {
      const note = (each: AgentTurn) =>
        void seen.push({ worker: index, contact: each.scope.contact_id, body: textOf(each) });
      await start(note, { share: { index, of: 3 } });
    }
    for (const body of ['1', '2']) for (const scope of scopes) await say(scope, body);
    await waitFor(() => seen.length === 24);
    for (const { contact_id } of scopes) {
      const own = seen.filter(({ contact }) => contact === contact_id);
      expect(own.map(({ body }) => body)).toEqual(['1', '2']);
      expect(new Set(own.map(({ worker }) => worker)).size).toBe(1);
    }
    expect(new Set(seen.map(({ worker }) => worker)).size).toBe(3);
    await allAcknowledged('ana-1-of-3');
  });

  test('a worker that never ran may leave out what is old', async () => {
    await say(ada, 'old');
    const seen: string[] = [];
    const { time } = (await jsm.streams.getMessage(STREAMS.turns, { last_by_subj: turnSubject(ada) }))!;
    await start((each) => void seen.push(textOf(each)), { sinceMs: time.getTime() + 1 });
    await waitFor(() => info());
    await say(ada, 'new');
    await waitFor(() => seen.length === 1);
    expect(seen).toEqual(['new']);
  });

  describe('a turn in hand', () => {
    const inHand = async (handler: TurnHandler, method: Parameters<TestBroker['answer']>[0], answers: object[]) => {
      const { received, stop } = await broker.answer(method, () => answers.shift());
      await start(handler);
      const sent = (await say(ada, 'When do you open?')) as Turn;
      await waitFor(() => received.length > 0 && answers.length === 0);
      await allAcknowledged();
      stop();
      return { sent, received: received as ReceivedRequest[] };
    };

    test('is replied to, again if Holdline was away', async () => {
      const results: unknown[] = [];
      const { sent, received } = await inHand(
        async (each) => {
          results.push(await each.reply('At nine.'));
        },
        'nexo/agent/reply',
        [{ error: unavailable('away').toJson() }, { status: 'sent', outbound_message_id: 'm1' }],
      );
      expect(results).toEqual([{ status: 'sent', outbound_message_id: 'm1' }]);
      expect(received).toHaveLength(2);
      expect(received[1]?.params).toEqual({
        turn_id: sent.turn_id,
        epoch: 0,
        scope: ada,
        action: {
          kind: 'reply',
          channel: 'whatsapp',
          account_id: '55',
          to: 'ada',
          body: 'At nine.',
          msg_kind: 'text',
        },
      });
    });

    test('is told to have nothing to say', async () => {
      const { sent, received } = await inHand((each) => void each.done(), 'nexo/agent/done', [{ changed: true }]);
      expect(received[0]?.params).toEqual({ turn_id: sent.turn_id, outcome: 'nothing_to_say' });
    });

    test('is told to have failed when the handler throws, without the text of the error', async () => {
      const handler = () => Promise.reject(new RangeError('card 4111 1111 1111 1111'));
      const { sent, received } = await inHand(handler, 'nexo/agent/done', [{ changed: true }]);
      expect(received[0]?.params).toEqual({ turn_id: sent.turn_id, outcome: 'failed', detail: 'RangeError' });
      expect(problems).toEqual([`the handler failed at turn ${sent.turn_id}`]);
    });

    test('asks for a person', async () => {
      const escalation = { summary: 'She is angry.', reason: 'complaint', urgency: 'high' } as const;
      const answer = { changed: true, correlation_id: randomUUID() };
      const { received } = await inHand((each) => void each.escalate(escalation), 'nexo/agent/escalate', [answer]);
      expect(received[0]?.params).toEqual({ scope: ada, ...escalation });
    });

    test('reads what it had no room for', async () => {
      const line = (seq: number) => ({ seq, role: 'user', body: `line ${seq}`, sent_at_ms: 1, source_plugin: 't' });
      const pages = [
        { entries: [line(3), line(4)], next_seq: 4 },
        { entries: [line(5), line(6)], next_seq: 6 },
      ];
      const lines: unknown[] = [];
      const range = { session_id: randomUUID(), from_seq: 3, to_seq: 5 };
      const read = async (each: AgentTurn) => void lines.push(...(await each.linesOf(range)));
      const { received } = await inHand(read, 'nexo/agent/transcript', pages);
      expect(lines).toEqual([line(3), line(4), line(5)]);
      expect(received.map(({ params }) => params['since_seq'])).toEqual([2, 4]);
    });
  });

  test('what is no turn is passed over, and an agent of any name has a consumer', async () => {
    const seen: string[] = [];
    await start((each) => void seen.push(textOf(each)));
    await jetstream(outside).publish(turnSubject(ada), 'not JSON');
    await say(ada, 'fine');
    await allAcknowledged();
    expect([seen, problems]).toEqual([['fine'], ['neither a turn nor a hold; passed over']]);
    expect(durableName('ana', { index: 0, of: 1 })).toBe('ana');
    expect(durableName('a.na é', { index: 1, of: 3 })).toMatch(/^agent-[0-9a-f]{32}-2-of-3$/);
    const subjects = Array.from({ length: 3_000 }, (_, index) => turnSubject(scopeOf(`c${index}`)));
    for (const index of [0, 1, 2]) {
      const own = subjects.filter((subject) => isOfShare(subject, { index, of: 3 })).length;
      expect(own > 800 && own < 1_200).toBe(true);
    }
  });
});
