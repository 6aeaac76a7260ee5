import { TurnIntake, type TurnMessage } from './turn-intake.js';

const message = (seq: number, more: Partial<TurnMessage> = {}) => ({ seq, ...more }) as TurnMessage;

describe('the intake of turns', () => {
  test('passes messages on as they come when nothing was left before', () => {
    const passed: number[] = [];
    const intake = new TurnIntake(false, ({ seq }) => void passed.push(seq));
    for (const seq of [4, 5]) intake.add(message(seq));
    expect(passed).toEqual([4, 5]);
  });

  test('keeps what is new until what was left is back, and passes it on in the order of the stream', () => {
    const passed: number[] = [];
    const intake = new TurnIntake(true, ({ seq }) => void passed.push(seq));
    for (const seq of [9, 10, 4, 5]) intake.add(message(seq));
    expect([passed, intake.waiting.length]).toEqual([[], 4]);
    intake.release();
    intake.add(message(11));
    expect([passed, intake.waiting.length]).toEqual([[4, 5, 9, 10, 11], 0]);
  });

  test('keeps of a message that comes twice the one that came last, which is to be acknowledged', () => {
    const passed: TurnMessage[] = [];
    const intake = new TurnIntake(true, (each) => void passed.push(each));
    const [first, second] = [message(4), message(4)];
    intake.add(first);
    intake.add(second);
    intake.release();
    expect(passed).toHaveLength(1);
    expect(passed[0]).toBe(second);
  });
});
