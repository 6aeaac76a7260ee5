import type { EventFrame } from './event-frame.js';
import { RecentFrames } from './recent-frames.js';

const frame = (seq: number, bytes = 1): EventFrame => ({ seq, subject: 's', bytes: Buffer.alloc(bytes) });

describe('the newest events in memory', () => {
  const after = (recent: RecentFrames, seq: number) => recent.after(seq)?.map((each) => each.seq);

  test('are all that came after the beginning, with the gaps that the stream has', () => {
    const recent = new RecentFrames(10, { maxFrames: 10, maxBytes: 100 });
    expect([after(recent, 9), after(recent, 10)]).toEqual([undefined, []]);
    recent.add([frame(12), frame(15)]);
    expect(after(recent, 9)).toBeUndefined();
    expect([10, 11, 12, 14, 15, 99].map((seq) => after(recent, seq))).toEqual([[12, 15], [12, 15], [15], [15], [], []]);
  });

  test('are forgotten from the oldest on, by number and by size', () => {
    const recent = new RecentFrames(0, { maxFrames: 3, maxBytes: 10 });
    recent.add([1, 2, 3, 4, 5].map((seq) => frame(seq)));
    expect([after(recent, 1), after(recent, 2)]).toEqual([undefined, [3, 4, 5]]);
    recent.add([frame(6, 9)]);
    expect([after(recent, 3), after(recent, 4)]).toEqual([undefined, [5, 6]]);
    recent.add([frame(7, 11)]);
    expect([after(recent, 6), after(recent, 7)]).toEqual([undefined, []]);
  });
});
