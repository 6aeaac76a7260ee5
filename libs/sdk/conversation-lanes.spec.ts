import { setImmediate as tick } from 'node:timers/promises';

import type { Turn } from '#contracts/turn.js';

import { ConversationLanes, type LaneTask } from './conversation-lanes.js';

const turn = (turn_id: string) => ({ turn_id }) as Turn;

describe('the lanes of conversations', () => {
  let began: LaneTask[];
  let dropped: string[];
  let finish: Map<string, () => void>;

  beforeEach(() => {
    began = [];
    dropped = [];
    finish = new Map();
  });

  const lanesWith = (concurrency: number) =>
    new ConversationLanes({
      concurrency,
      dropped: ({ turn_id }) => void dropped.push(turn_id),
      work: (task) => {
        began.push(task);
        return new Promise((resolve) => finish.set(task.turn.turn_id, resolve));
      },
    });
  const ids = () => began.map((task) => task.turn.turn_id);
  const end = async (id: string) => {
    finish.get(id)?.();
    await tick();
  };

  test('one conversation has one turn at a time, in order', async () => {
    const lanes = lanesWith(10);
    for (const id of ['a1', 'a2', 'a3']) lanes.add('a', turn(id));
    expect(ids()).toEqual(['a1']);
    await end('a1');
    expect(ids()).toEqual(['a1', 'a2']);
    await end('a2');
    expect(ids()).toEqual(['a1', 'a2', 'a3']);
  });

  test('several conversations run at a time up to the limit, and the longest waiting is next', async () => {
    const lanes = lanesWith(2);
    for (const key of ['a', 'b', 'c']) for (const n of [1, 2]) lanes.add(key, turn(`${key}${n}`));
    expect(ids()).toEqual(['a1', 'b1']);
    await end('a1');
    await end('b1');
    expect(ids()).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  test('a newer epoch aborts what runs and drops what waits, at once; the same and an older one do not', async () => {
    const lanes = lanesWith(10);
    lanes.enter('a', 2);
    for (const id of ['a1', 'a2']) lanes.add('a', turn(id));
    lanes.add('b', turn('b1'));
    expect([lanes.enter('a', 2), lanes.enter('a', 1)]).toEqual([true, false]);
    expect(dropped).toEqual([]);
    expect(lanes.enter('a', 3)).toBe(true);
    expect(dropped).toEqual(['a2', 'a1']);
    expect(began.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  test('what comes after a drop waits until the dropped turn has ended', async () => {
    const lanes = lanesWith(10);
    lanes.add('a', turn('a1'));
    lanes.enter('a', 2);
    lanes.add('a', turn('a2'));
    expect(ids()).toEqual(['a1']);
    await end('a1');
    expect(ids()).toEqual(['a1', 'a2']);
    expect(began[1]?.signal.aborted).toBe(false);
  });

  test('closed, they begin nothing more, give back what waits, and can abort what runs', async () => {
    const lanes = lanesWith(1);
    for (const id of ['a1', 'a2', 'a3']) lanes.add('a', turn(id));
    lanes.add('b', turn('b1'));
    expect(lanes.close().map(({ turn_id }) => turn_id)).toEqual(['a2', 'a3', 'b1']);
    lanes.abortAll();
    expect(began[0]?.signal.aborted).toBe(true);
    await end('a1');
    await lanes.finished();
    expect(ids()).toEqual(['a1']);
  });

  test('conversations that are at rest are forgotten, those at work never', async () => {
    const lanes = lanesWith(1);
    lanes.enter('busy', 5);
    lanes.add('busy', turn('busy1'));
    lanes.enter('resting', 5);
    for (let count = 0; count < 10_000; count++) lanes.enter(`other ${count}`, 1);
    expect(lanes.enter('busy', 4)).toBe(false);
    expect(lanes.enter('resting', 4)).toBe(true);
    await end('busy1');
  });
});
