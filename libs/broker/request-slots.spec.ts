import { RequestSlots } from './request-slots.js';

class Task {
  started = false;
  dropped = false;
  finish!: () => void;
  private readonly finished = new Promise<void>((resolve) => (this.finish = resolve));

  constructor(readonly bytes = 1) {}

  run = (): Promise<void> => {
    this.started = true;
    return this.finished;
  };

  drop = (): void => {
    this.dropped = true;
  };
}

function tasks(count: number): Task[] {
  return Array.from({ length: count }, () => new Task());
}

/** Lets what was resolved take effect. */
const settle = () => new Promise(setImmediate);

describe('request slots', () => {
  test('only so many run at a time, the others in order of arrival', async () => {
    const slots = new RequestSlots({ maxRunning: 2, maxQueuedBytes: 100 });
    const all = tasks(4);
    for (const task of all) expect(slots.add(task)).toBe(true);
    expect(all.map(({ started }) => started)).toEqual([true, true, false, false]);
    all[1]!.finish();
    await settle();
    expect(all.map(({ started }) => started)).toEqual([true, true, true, false]);
  });

  test('what does not fit into the queue is turned away until there is room again', async () => {
    const slots = new RequestSlots({ maxRunning: 1, maxQueuedBytes: 10 });
    const first = new Task();
    slots.add(first);
    expect(slots.add(new Task(8))).toBe(true);
    const tooMuch = new Task(3);
    expect(slots.add(tooMuch)).toBe(false);
    first.finish();
    await settle();
    expect(slots.add(tooMuch)).toBe(true);
  });

  test('draining waits for what runs and what waits', async () => {
    const slots = new RequestSlots({ maxRunning: 1, maxQueuedBytes: 100 });
    const [first, second] = [new Task(), new Task()];
    slots.add(first);
    slots.add(second);
    const drained = slots.drain(60_000);
    first.finish();
    second.finish();
    expect(await drained).toBe(true);
    expect([second.started, second.dropped]).toEqual([true, false]);
    expect(await slots.drain(60_000)).toBe(true);
  });

  test('after its time limit draining drops what has not begun', async () => {
    const slots = new RequestSlots({ maxRunning: 1, maxQueuedBytes: 100 });
    const [first, second] = [new Task(), new Task()];
    slots.add(first);
    slots.add(second);
    expect(await slots.drain(1)).toBe(false);
    expect([first.dropped, second.dropped]).toEqual([false, true]);
    first.finish();
    await settle();
    expect(second.started).toBe(false);
  });
});
