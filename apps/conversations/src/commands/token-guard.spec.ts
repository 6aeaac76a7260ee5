import { TokenGuard } from './token-guard.js';

const HOUR_MS = 3_600_000;

describe('holding off those who show worthless tokens', () => {
  let nowMs = 0;
  let guard: TokenGuard;

  beforeEach(() => {
    nowMs = 1;
    guard = new TokenGuard(() => nowMs);
  });

  const fail = async (source: string | undefined, times: number) => {
    for (let count = 0; count < times; count += 1) await guard.refused({ source, bearerToken: `guess ${count}` });
  };
  const heldOff = async (source: string | undefined, bearerToken = 'a token') =>
    (await guard.holdOffMs({ source, bearerToken })) > 0;

  it('begins after 60 failures of a source within a minute, and says for how long', async () => {
    await fail('_INBOX.a', 59);
    expect(await heldOff('_INBOX.a')).toBe(false);
    await fail('_INBOX.a', 1);
    const retryAfterMs = await guard.holdOffMs({ source: '_INBOX.a', bearerToken: 'x' });
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
    expect(await guard.holdOffMs({ source: '_INBOX.a' })).toBeGreaterThan(0);
  });

  it('does not touch other sources', async () => {
    await fail('_INBOX.a', 100);
    await fail(undefined, 100);
    expect(await heldOff('_INBOX.b')).toBe(false);
    expect(await heldOff(undefined)).toBe(true);
  });

  it('never holds off a token that was valid within the hour, whatever others do from the same source', async () => {
    guard.accepted({ bearerToken: 'valid' });
    await fail('_INBOX.a', 1_000);
    expect(await heldOff('_INBOX.a', 'valid')).toBe(false);
    expect(await heldOff('_INBOX.a', 'new')).toBe(true);
    nowMs += HOUR_MS;
    expect(await heldOff('_INBOX.a', 'valid')).toBe(true);
  });

  it('forgets a token that is valid no more', async () => {
    guard.accepted({ bearerToken: 'revoked' });
    await guard.refused({ source: '_INBOX.a', bearerToken: 'revoked' });
    await fail('_INBOX.a', 60);
    expect(await heldOff('_INBOX.a', 'revoked')).toBe(true);
  });
});
