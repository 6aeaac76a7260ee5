import { ConversationWork } from './conversation-work.js';

describe('the work for one conversation', () => {
  const untilAborted = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve());
    });

  test('is done one after the other', async () => {
    const work = new ConversationWork();
    const done: string[] = [];
    let finishFirst: () => void = () => undefined;
    const first = work.add(async () => {
      await new Promise<void>((resolve) => (finishFirst = resolve));
      done.push('first');
    });
    const second = work.add(async () => void done.push('second'));
    await Promise.resolve();
    finishFirst();
    await Promise.all([first, second]);
    expect(done).toEqual(['first', 'second']);
  });

  test('is dropped by a newer epoch, what has not begun too; what comes after is not', async () => {
    const work = new ConversationWork();
    const running = work.add(untilAborted);
    let waitingWasDropped: boolean | undefined;
    const waiting = work.add(async (signal) => void (waitingWasDropped = signal.aborted));
    expect(work.enter(1)).toBe(true);
    let laterWasDropped: boolean | undefined;
    await Promise.all([running, waiting, work.add(async (signal) => void (laterWasDropped = signal.aborted))]);
    expect([waitingWasDropped, laterWasDropped]).toEqual([true, false]);
  });

  test('of an older epoch is refused, of the same one it goes on', async () => {
    const work = new ConversationWork();
    work.enter(2);
    const running = work.add(untilAborted);
    expect(work.enter(1)).toBe(false);
    expect(work.enter(2)).toBe(true);
    work.drop();
    await running;
  });
});
