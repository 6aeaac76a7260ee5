import { KnownTokens } from './known-tokens.js';
import { RateLimiter } from './rate-limiter.js';

describe('the limit of requests', () => {
  test('is one for each key, and comes back evenly', () => {
    let now = 0;
    const limiter = new RateLimiter(60, () => now);
    for (let count = 0; count < 60; count += 1) expect(limiter.take('a')).toBe(0);
    expect(limiter.take('a')).toBe(1_000);
    expect(limiter.take('b')).toBe(0);
    now += 999;
    expect(limiter.take('a')).toBeGreaterThan(0);
    now += 1;
    expect(limiter.take('a')).toBe(0);
    now += 3_600_000;
    expect(limiter.take('a', 60)).toBe(0);
    expect(limiter.take('a')).toBe(1_000);
  });

  test('counts each of many at once, takes nothing when it refuses, and lets the largest pass when all is there', () => {
    let now = 0;
    const limiter = new RateLimiter(10, () => now);
    expect(limiter.take('a', 8)).toBe(0);
    expect(limiter.take('a', 5)).toBe(18_000);
    expect(limiter.take('a', 2)).toBe(0);
    now += 60_000;
    expect(limiter.take('a', 50)).toBe(0);
    expect(limiter.take('a')).toBeGreaterThan(0);
  });
});

describe('whose budget a request is taken from', () => {
  test('is the own one of a token that was accepted lately, and else that of the address', () => {
    let now = 0;
    const known = new KnownTokens(() => now);
    expect(known.budgetOf(undefined, '::1')).toBe('address ::1');
    expect(known.budgetOf('t', '::1')).toBe('address ::1');
    known.noteAccepted('t');
    const own = known.budgetOf('t', '::1');
    expect(own).toMatch(/^token /);
    expect(known.budgetOf('t', '127.0.0.1')).toBe(own);
    expect(own).not.toContain(' t');
    now += 5 * 60_000;
    expect(known.budgetOf('t', '::1')).toBe('address ::1');
    known.noteAccepted('t');
    known.noteRefused('t');
    expect(known.budgetOf('t', '::1')).toBe('address ::1');
  });
});
