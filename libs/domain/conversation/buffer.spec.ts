import fc from 'fast-check';

import { bufferOne, type BufferWindow } from './buffer.js';

describe('the buffer window', () => {
  it('keeps the newest up to the cap and evicts the oldest first', () => {
    let window: BufferWindow = { head: 10, tail: 10 };
    const evicted = Array.from({ length: 53 }, () => {
      const { next, evicted: count } = bufferOne(window, 50);
      window = next;
      return count;
    });
    expect(window).toEqual({ head: 13, tail: 63 });
    expect(evicted).toEqual([...Array<number>(50).fill(0), 1, 1, 1]);
  });

  it('evicts the inbound itself at once with a cap of 0', () => {
    expect(bufferOne({ head: 3, tail: 3 }, 0)).toEqual({
      placed: { position: 3, evictsBelow: 4 },
      next: { head: 4, tail: 4 },
      evicted: 1,
    });
  });

  it('applies a lowered cap at the next arrival', () => {
    expect(bufferOne({ head: 0, tail: 50 }, 10)).toMatchObject({ next: { head: 41, tail: 51 }, evicted: 41 });
  });

  it('never moves back and never holds more than the cap after an arrival', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 100 }), (caps) => {
        let window: BufferWindow = { head: 0, tail: 0 };
        let dropped = 0;
        for (const cap of caps) {
          const { placed, next, evicted } = bufferOne(window, cap);
          expect(placed.position).toBe(window.tail);
          expect(next.head).toBeGreaterThanOrEqual(window.head);
          expect(next.tail - next.head).toBeLessThanOrEqual(cap);
          dropped += evicted;
          window = next;
        }
        expect(dropped).toBe(window.head);
      }),
    );
  });
});
