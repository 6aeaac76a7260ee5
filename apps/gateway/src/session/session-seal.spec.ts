import { EndedSessions } from './ended-sessions.js';
import { SessionSeal } from './session-seal.js';

const SECRET = 'a secret of at least 32 characters';

describe('a sealed session', () => {
  test('is opened by the same secret until it expires, and by no other', () => {
    let now = 1_000;
    const seal = new SessionSeal(SECRET, 500, () => now);
    const { session, sealed } = seal.begin('tökén');
    expect(session).toMatchObject({ token: 'tökén', expiresAtMs: 1_500 });
    expect(sealed).toMatch(/^[\w-]+$/);
    expect(new SessionSeal(SECRET, 9, () => now).open(sealed)).toEqual(session);
    expect(new SessionSeal(`${SECRET}!`, 500, () => now).open(sealed)).toBeUndefined();
    expect(new SessionSeal(undefined, 500, () => now).open(sealed)).toBeUndefined();
    now = 1_500;
    expect(seal.open(sealed)).toBeUndefined();
  });

  test('that was changed anywhere, cut or made up is none', () => {
    const seal = new SessionSeal(undefined, 60_000);
    const { sealed } = seal.begin('token');
    const bytes = Buffer.from(sealed, 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] as number) ^ 1;
      expect(seal.open(changed.toString('base64url'))).toBeUndefined();
      expect(seal.open(bytes.subarray(0, index).toString('base64url'))).toBeUndefined();
    }
    for (const text of ['', 'x', 'x'.repeat(200), '{"id":"1"}']) expect(seal.open(text)).toBeUndefined();
  });

  test('shows nothing of the token, and is another text each time', () => {
    const seal = new SessionSeal(SECRET, 60_000);
    const [one, other] = [seal.begin('my-token'), seal.begin('my-token')];
    expect(one.sealed).not.toBe(other.sealed);
    expect(one.session.id).not.toBe(other.session.id);
    expect(Buffer.from(one.sealed, 'base64url').toString('latin1')).not.toContain('my-token');
  });
});

describe('sessions that were ended', () => {
  test('are remembered as long as they would have lasted', () => {
    let now = 0;
    const ended = new EndedSessions(() => now);
    ended.note({ id: 'a', expiresAtMs: 10 });
    expect([ended.has('a'), ended.has('b')]).toEqual([true, false]);
    now = 10;
    ended.note({ id: 'b', expiresAtMs: 20 });
    expect([ended.has('a'), ended.has('b')]).toEqual([false, true]);
  });
});
