import { STREAMS, turnSubject } from '#contracts/subjects.js';

import { AgentBench, scopeOf, textOf, untilAborted } from '../../test/harness/agent-bench.js';
import { waitFor } from '../../test/harness/wait-for.js';
import type { AgentTurn } from './agent-turn.js';
import { durableName, isOfShare } from './turn-consumer.js';

const [ada, bob, eve] = [scopeOf('ada'), scopeOf('bob'), scopeOf('eve')];

describe('AgentWorker', () => {
  let bench: AgentBench;

  beforeAll(async () => {
    bench = await AgentBench.create();
  });

  afterEach(() => bench.clear());

  afterAll(() => bench.close());

  test('answers the turns of a conversation one at a time, and several conversations at a time', async () => {
    const running: string[] = [];
    const order: string[] = [];
    let most = 0;
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    for (const body of ['1', '2', '3']) for (const scope of [ada, bob, eve]) await bench.say(scope, body);
    await bench.start(
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
    await bench.allAcknowledged();
    expect(most).toBe(2);
    for (const contact of ['ada', 'bob', 'eve']) {
      expect(order.filter((each) => each.startsWith(contact))).toEqual([1, 2, 3].map((n) => `${contact} ${n}`));
    }
  });

  test('a Hold aborts what runs and drops what waits; others go on; the resume is answered', async () => {
    const begun: string[] = [];
    const aborted: string[] = [];
    await bench.start(async (each) => {
      begun.push(textOf(each));
      if (textOf(each) !== 'long') return;
      await untilAborted(each.signal);
      aborted.push(textOf(each));
    });
    await bench.say(ada, 'long');
    await waitFor(() => begun.length === 1);
    await bench.say(ada, 'waiting');
    await bench.hold(ada, 1);
    await waitFor(() => aborted.length === 1, { what: 'The abort' });
    await bench.say(ada, 'resumed', 2);
    await bench.say(bob, 'other');
    await bench.allAcknowledged();
    expect(begun.sort()).toEqual(['long', 'other', 'resumed']);
  });

  test('a turn of a newer epoch aborts an older one even if its Hold was never seen', async () => {
    const seen: string[] = [];
    let hasBegun = false;
    await bench.start(async (each) => {
      hasBegun = true;
      if (textOf(each) === 'old') await untilAborted(each.signal);
      seen.push(textOf(each));
    });
    await bench.say(ada, 'old', 0);
    await waitFor(() => hasBegun);
    await bench.say(ada, 'new', 2);
    await bench.say(ada, 'stale', 1);
    await waitFor(() => seen.length === 2);
    await bench.allAcknowledged();
    expect(seen).toEqual(['old', 'new']);
  });

  test('a Hold is heard at once even if the worker has no room for another message', async () => {
    const aborted = new Set<string>();
    await bench.start(
      async (each) => {
        await untilAborted(each.signal);
        aborted.add(textOf(each));
      },
      { concurrency: 1 },
    );
    await Promise.all(Array.from({ length: 1_001 }, (_, count) => bench.say(bob, `turn ${count}`)));
    await bench.atHand(1_000);
    await bench.hold(bob, 1);
    await waitFor(() => aborted.size > 0, { what: 'The abort' });
    await bench.allAcknowledged();
    expect(aborted.size).toBe(1);
  });

  test('a turn that comes twice is answered once', async () => {
    const seen: string[] = [];
    const once = bench.turn(ada, 'once');
    await bench.start((each) => void seen.push(textOf(each)));
    for (const each of [once, once, bench.turn(ada, 'twice'), once]) await bench.publish(each);
    await bench.allAcknowledged();
    expect(seen).toEqual(['once', 'twice']);
  });

  test('a turn of long work is not sent again while the worker lives', async () => {
    let runs = 0;
    let redelivered = 0;
    await bench.start(
      async () => {
        runs += 1;
        redelivered = await waitFor(async () => (await bench.consumer()).num_redelivered || Date.now() > doneAt, {
          timeoutMs: 10_000,
        }).then((value) => (typeof value === 'number' ? value : 0));
      },
      { ackWaitMs: 1_000 },
    );
    const doneAt = Date.now() + 2_500;
    await bench.say(ada, 'long');
    await waitFor(() => runs === 1);
    await bench.allAcknowledged();
    expect([runs, redelivered]).toEqual([1, 0]);
  });

  test('what a stop interrupts comes again after the next start, before what is new', async () => {
    // So long that only what was given back can come again within this test.
    const ackWaitMs = 60_000;
    const first = await bench.start(async (each) => untilAborted(each.signal), { ackWaitMs });
    for (const body of ['1', '2', '3']) await bench.say(ada, body);
    await bench.atHand(3);
    await first.stop({ graceMs: 0 });
    await bench.say(ada, '4');
    const seen: string[] = [];
    await bench.start((each) => void seen.push(textOf(each)), { ackWaitMs });
    await bench.allAcknowledged();
    expect(seen).toEqual(['1', '2', '3', '4']);
  });

  test('what a crash interrupts comes again before what is new, although the server sends it later', async () => {
    const nc = await bench.broker.connect();
    await bench.start(() => bench.hang(), { nc, ackWaitMs: 2_000 });
    for (const body of ['1', '2']) await bench.say(ada, body);
    await bench.atHand(2);
    await nc.close();
    await bench.say(ada, '3');
    await bench.say(bob, 'other');
    const seen: string[] = [];
    await bench.start((each) => void seen.push(textOf(each)), { ackWaitMs: 2_000 });
    await bench.allAcknowledged();
    expect(seen.filter((body) => body !== 'other')).toEqual(['1', '2', '3']);
  });

  test('a worker that stops lets its turns end, and begins no other', async () => {
    const seen: string[] = [];
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const worker = await bench.start(async (each) => {
      await gate;
      seen.push(`${textOf(each)} ${each.signal.aborted}`);
    });
    await bench.say(ada, '1');
    await bench.say(ada, '2');
    await bench.atHand(2);
    const stopped = worker.stop();
    release();
    await stopped;
    expect(seen).toEqual(['1 false']);
    expect((await bench.consumer()).num_ack_pending).toBe(1);
  });

  test('several workers share the conversations, each in order, and hear the Holds of theirs', async () => {
    const scopes = Array.from({ length: 12 }, (_, index) => scopeOf(`contact ${index}`));
    const seen: { worker: number; contact: string; body: string }[] = [];
    for (const index of [0, 1, 2]) {
      const note = (each: AgentTurn) =>
        void seen.push({ worker: index, contact: each.scope.contact_id, body: textOf(each) });
      await bench.start(note, { share: { index, of: 3 } });
    }
    for (const body of ['1', '2']) for (const scope of scopes) await bench.say(scope, body);
    await waitFor(() => seen.length === 24);
    for (const { contact_id } of scopes) {
      const own = seen.filter(({ contact }) => contact === contact_id);
      expect(own.map(({ body }) => body)).toEqual(['1', '2']);
      expect(new Set(own.map(({ worker }) => worker)).size).toBe(1);
    }
    expect(new Set(seen.map(({ worker }) => worker)).size).toBe(3);
    await bench.allAcknowledged('ana-1-of-3');
  });

  test('a worker that never ran may leave out what is old', async () => {
    await bench.say(ada, 'old');
    const seen: string[] = [];
    const { time } = (await bench.jsm.streams.getMessage(STREAMS.turns, { last_by_subj: turnSubject(ada) }))!;
    await bench.start((each) => void seen.push(textOf(each)), { sinceMs: time.getTime() + 1 });
    await waitFor(() => bench.consumer());
    await bench.say(ada, 'new');
    await waitFor(() => seen.length === 1);
    expect(seen).toEqual(['new']);
  });

  test('what is no turn is passed over, and an agent of any name has a consumer', async () => {
    const seen: string[] = [];
    await bench.start((each) => void seen.push(textOf(each)));
    await bench.publishNonsense(ada);
    await bench.say(ada, 'fine');
    await bench.allAcknowledged();
    expect([seen, bench.problems]).toEqual([['fine'], ['neither a turn nor a hold; passed over']]);
    expect(durableName('ana', { index: 0, of: 1 })).toBe('ana');
    expect(durableName('a.na é', { index: 1, of: 3 })).toMatch(/^agent-[0-9a-f]{32}-2-of-3$/);
    const subjects = Array.from({ length: 3_000 }, (_, index) => turnSubject(scopeOf(`c${index}`)));
    for (const index of [0, 1, 2]) {
      const own = subjects.filter((subject) => isOfShare(subject, { index, of: 3 })).length;
      expect(own > 800 && own < 1_200).toBe(true);
    }
  });
});
