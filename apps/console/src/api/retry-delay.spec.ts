import { retryDelayMs } from './retry-delay.js';

describe('retryDelayMs', () => {
  it('begins below half a second and doubles up to ten seconds', () => {
    expect([1, 2, 3, 6, 60].map((failures) => retryDelayMs(failures, 1))).toEqual([300, 600, 1_200, 9_600, 10_000]);
  });

  it('is spread over the upper half', () => {
    expect(retryDelayMs(2, 0)).toBe(300);
  });
});
