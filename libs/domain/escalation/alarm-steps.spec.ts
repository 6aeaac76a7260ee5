import { alarmsDue } from './alarm-steps.js';

describe('the alarms of an escalation that nobody takes', () => {
  test.each([
    [999, 0],
    [1_000, 1],
    [2_999, 1],
    [3_000, 2],
    [9_999, 2],
    [10_000, 3],
    [1_000_000, 3],
  ])('after %i ms of a second’s patience there are %i', (waitedMs, alarms) => {
    expect(alarmsDue(50, 50 + waitedMs, 1_000)).toBe(alarms);
  });

  test('can be turned off', () => {
    expect(alarmsDue(0, 1_000_000, 0)).toBe(0);
  });
});
