import { tokenHash, tokenSha256 } from './token-hash.js';

describe('the hash of a token', () => {
  it('is the first 16 hex digits of SHA-256 over its UTF-8 bytes', () => {
    expect(tokenHash('abc')).toBe('ba7816bf8f01cfea');
    expect(tokenHash('ключ')).toBe(tokenSha256('ключ').toString('hex').slice(0, 16));
  });

  it('tells tokens apart that differ in one character', () => {
    expect(tokenHash('abd')).not.toBe(tokenHash('abc'));
  });
});
