import fc from 'fast-check';

import { ESCALATION_WINDOW_MS, MAX_ESCALATIONS_PER_WINDOW } from '#contracts/limits.js';

import { decideEscalation } from './decide-escalation.js';

const NOW = 1_700_000_000_000;
const free = { held: false, pending: false, recentMs: [] };

describe('the decision about an escalation', () => {
  test('asks for a person when none is asked for and none is there', () => {
    expect(decideEscalation(free, NOW)).toEqual({ kind: 'requested' });
  });

  test('asks once, and not for a conversation that a person has, however often it was asked before', () => {
    const recentMs = [NOW, NOW, NOW];
    expect(decideEscalation({ ...free, pending: true, recentMs }, NOW)).toEqual({ kind: 'nothing' });
    expect(decideEscalation({ ...free, held: true, recentMs }, NOW)).toEqual({ kind: 'nothing' });
  });

  test('is throttled after three within an hour, until the first of them is an hour old', () => {
    const recentMs = [NOW - 10, NOW - 30, NOW - 20];
    expect(decideEscalation({ ...free, recentMs }, NOW)).toEqual({
      kind: 'throttled',
      retryAfterMs: ESCALATION_WINDOW_MS - 30,
    });
    expect(decideEscalation({ ...free, recentMs }, NOW + ESCALATION_WINDOW_MS - 31)).toMatchObject({ retryAfterMs: 1 });
    expect(decideEscalation({ ...free, recentMs }, NOW + ESCALATION_WINDOW_MS - 30)).toEqual({ kind: 'requested' });
  });

  test('lets at most three through in any hour, and all that wait as long as they are told', () => {
    const pauses = fc.array(fc.integer({ min: 1, max: ESCALATION_WINDOW_MS }), { maxLength: 30 });
    fc.assert(
      fc.property(pauses, (waits) => {
        const passed: number[] = [];
        let nowMs = NOW;
        for (const wait of waits) {
          nowMs += wait;
          const decision = decideEscalation({ ...free, recentMs: passed }, nowMs);
          if (decision.kind === 'requested') passed.push(nowMs);
          if (decision.kind !== 'throttled') continue;
          expect(decision.retryAfterMs).toBeGreaterThan(0);
          const later = decideEscalation({ ...free, recentMs: passed }, nowMs + decision.retryAfterMs);
          expect(later.kind).toBe('requested');
        }
        for (const start of passed) {
          const within = passed.filter((atMs) => atMs >= start && atMs < start + ESCALATION_WINDOW_MS);
          expect(within.length).toBeLessThanOrEqual(MAX_ESCALATIONS_PER_WINDOW);
        }
      }),
    );
  });
});
