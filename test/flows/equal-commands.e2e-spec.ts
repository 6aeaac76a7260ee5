import type { ProcessingStateChangedEvent } from '#contracts/agent-event.js';
import type { ConversationScope } from '#contracts/processing-scope.js';

import { newScope, type TestClient } from '../harness/client.js';
import { Harness } from '../harness/harness.js';
import { settled } from './support/settled.js';

const AT_ONCE = 20;

describe('commands that meet', () => {
  let harness: Harness;
  let ann: TestClient;
  let bob: TestClient;

  beforeAll(async () => {
    harness = await Harness.create();
    await Promise.all([harness.boot(), harness.boot()]);
    ann = await harness.connect('ann');
    bob = await harness.connect('bob');
  });
  afterAll(() => harness.close());

  /** Changes of state of one agent: as events, and as notifications. */
  async function changesOf(agentId: string) {
    await settled(harness, ann);
    const events = (await ann.events(agentId, 'processing_state_changed')) as unknown as ProcessingStateChangedEvent[];
    const notifications = (await ann.notifications()).map(({ body }) => body.params);
    expect(notifications.filter((params) => params['agent_id'] === agentId)).toEqual(events);
    return events;
  }

  async function makeKnown(scope: ConversationScope): Promise<void> {
    await ann.publish(scope, 'hello');
    await settled(harness, ann);
  }

  const twentyTimes = <Result>(command: () => Promise<Result>) =>
    Promise.all(Array.from({ length: AT_ONCE }, () => command()));

  it.each(['known', 'unknown'])(
    'pause a conversation that is %s once, however many of them come at once',
    async (kind) => {
      const agentId = `twenty-pauses-${kind}`;
      const scope = newScope(agentId);
      if (kind === 'known') await makeKnown(scope);
      const acks = await twentyTimes(() => ann.pause(scope, { reason: 'the same' }));
      expect(acks.filter(({ changed }) => changed)).toHaveLength(1);
      expect(acks.every(({ epoch }) => epoch === 1)).toBe(true);
      expect(new Set(acks.map(({ correlation_id }) => correlation_id)).size).toBe(AT_ONCE);
      const [change, ...others] = await changesOf(agentId);
      expect(others).toEqual([]);
      expect(change).toMatchObject({ scope, prev_state: { state: 'agent_active' }, epoch: 1, by: 'ann' });
      expect((await ann.turns(scope)).filter((message) => message.kind === 'hold')).toHaveLength(1);
    },
  );

  it('resume a conversation once, however many of them come at once', async () => {
    const scope = newScope('twenty-resumes');
    await ann.pause(scope);
    await ann.publish(scope, 'waiting');
    await settled(harness, ann);
    const acks = await twentyTimes(() => ann.resume(scope));
    expect(acks.filter(({ changed }) => changed)).toHaveLength(1);
    expect(acks.every(({ epoch }) => epoch === 2)).toBe(true);
    expect(acks.map(({ drained_pending }) => drained_pending).sort()).toEqual([...Array<number>(19).fill(0), 1]);
    expect(await changesOf('twenty-resumes')).toHaveLength(2);
    expect(await ann.turns(scope)).toHaveLength(2);
  });

  it('leave one owner when two operators pause at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const scope = newScope(`two-owners-${round}`);
      await makeKnown(scope);
      const acks = await Promise.all([ann.pause(scope), bob.pause(scope)]);
      const owner = acks[0].changed ? 'ann' : 'bob';
      expect(acks.map(({ changed }) => changed)).toEqual(owner === 'ann' ? [true, false] : [false, true]);
      expect(await ann.state(scope)).toMatchObject({ operator_token_hash: owner });
      expect(await changesOf(`two-owners-${round}`)).toMatchObject([{ by: owner }]);
    }
  });

  it('of another operator change nothing of a hold: neither operator, time, reason nor timer', async () => {
    const scope = newScope('kept');
    await ann.pause(scope, { reason: 'mine', auto_resume_after_ms: 600_000 });
    const held = await ann.state(scope);
    expect(held).toEqual({
      state: 'paused_by_operator',
      scope,
      operator_token_hash: 'ann',
      reason: 'mine',
      paused_at_ms: expect.any(Number),
      auto_resume_at_ms: expect.any(Number),
    });
    const again = { reason: 'not yours', auto_resume_after_ms: 5_000 };
    await expect(bob.pause(scope, again)).resolves.toMatchObject({ changed: false, epoch: 1 });
    await expect(ann.pause(scope, { ...again, take_over: true })).resolves.toMatchObject({ changed: false, epoch: 1 });
    expect(await ann.state(scope)).toEqual(held);
    expect(await changesOf('kept')).toHaveLength(1);
  });

  it('move a hold to whoever takes it over, once, at the same epoch and with the time of the pause', async () => {
    const scope = newScope('moved');
    await ann.pause(scope, { reason: 'mine', auto_resume_after_ms: 600_000 });
    const held = await ann.state(scope);
    const acks = await twentyTimes(() => bob.pause(scope, { take_over: true }));
    expect(acks.filter(({ changed }) => changed)).toHaveLength(1);
    expect(acks.every(({ epoch }) => epoch === 1)).toBe(true);
    const moved = { ...held, operator_token_hash: 'bob' };
    expect(await ann.state(scope)).toEqual(moved);
    const [, takenOver, ...others] = await changesOf('moved');
    expect(others).toEqual([]);
    expect(takenOver).toMatchObject({ prev_state: held, new_state: moved, epoch: 1, by: 'bob' });

    const beforeMs = Date.now();
    await ann.pause(scope, { take_over: true, reason: 'mine again', auto_resume_after_ms: 1_200_000 });
    const back = await ann.state(scope);
    expect(back).toMatchObject({ ...held, reason: 'mine again', auto_resume_at_ms: expect.any(Number) });
    const { auto_resume_at_ms: autoResumeAtMs = 0 } = back as { auto_resume_at_ms?: number };
    expect(Math.abs(autoResumeAtMs - beforeMs - 1_200_000)).toBeLessThan(60_000);
    expect((await ann.turns(scope)).map(({ kind }) => kind)).toEqual(['hold']);
  });

  it('can ask for the epoch that they know, and are refused at another', async () => {
    const scope = newScope('fenced');
    const stale = (epoch: number) => ({
      error: {
        code: -32005,
        message: expect.stringMatching(/^conflict: stale_epoch/),
        data: { reason: 'stale_epoch', epoch },
      },
    });
    await ann.pause(scope);
    for (const expected_epoch of [0, 2, 7]) {
      await expect(bob.resume(scope, { expected_epoch })).rejects.toMatchObject(stale(1));
    }
    expect(await ann.state(scope)).toMatchObject({ state: 'paused_by_operator' });
    await expect(bob.resume(scope, { expected_epoch: 1 })).resolves.toMatchObject({ changed: true, epoch: 2 });
    await expect(bob.resume(scope, { expected_epoch: 1 })).rejects.toMatchObject(stale(2));
    await expect(bob.resume(scope, { expected_epoch: 2 })).resolves.toMatchObject({ changed: false, epoch: 2 });
    expect((await changesOf('fenced')).map(({ epoch, by }) => `${epoch} ${by}`)).toEqual(['1 ann', '2 bob']);
  });

  it('that know the epoch resume once, when all of them come at once', async () => {
    const scope = newScope('fenced-race');
    await ann.pause(scope);
    const outcomes = await Promise.allSettled(
      Array.from({ length: AT_ONCE }, () => ann.resume(scope, { expected_epoch: 1 })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await changesOf('fenced-race')).toHaveLength(2);
  });
});
