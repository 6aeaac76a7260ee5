import { tokenSha256 } from '#domain/operators/token-hash.js';

import { TokenGuard } from './token-guard.js';

describe('holding off those who show worthless tokens', () => {
  let nowMs = 0;
  let reads = 0;
  let valid: string[] = [];
  let away = false;
  let guard: TokenGuard;

  beforeEach(() => {
    nowMs = 1;
    reads = 0;
    valid = ['valid'];
    away = false;
    const read = async () => {
      reads += 1;
      if (away) throw new Error('the database is away');
      return new Set(valid.map((token) => tokenSha256(token).toString('hex')));
    };
    guard = new TokenGuard(read, () => nowMs);
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
    expect(reads).toBeLessThanOrEqual(1);
  });

  it('never holds off a valid token, whatever others do from the same source', async () => {
    await fail('_INBOX.a', 1_000);
    expect(await heldOff('_INBOX.a', 'valid')).toBe(false);
    expect(await heldOff('_INBOX.a', 'new')).toBe(true);
    valid.push('new');
    nowMs += 1_000;
    expect(await heldOff('_INBOX.a', 'new')).toBe(false);
    valid = [];
    nowMs += 1_000;
    expect(await heldOff('_INBOX.a', 'valid')).toBe(true);
  });

  it('reads the valid tokens once a second, however many ask', async () => {
    await fail('_INBOX.a', 60);
    await Promise.all(Array.from({ length: 500 }, (_, index) => heldOff('_INBOX.a', `guess ${index}`)));
    expect(reads).toBe(1);
  });

  it('takes nobody for a stranger while the valid tokens cannot be read', async () => {
    await fail('_INBOX.a', 60);
    away = true;
    await expect(heldOff('_INBOX.a', 'valid')).rejects.toThrow('away');
    away = false;
    expect(await heldOff('_INBOX.a', 'valid')).toBe(false);
  });
});
