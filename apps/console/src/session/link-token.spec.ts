import { linkToken } from './link-token.js';

describe('linkToken', () => {
  it('is the token of a log-in link', () => {
    expect(linkToken('#token=ab%2Bc_d-e')).toBe('ab+c_d-e');
  });

  it.each(['', '#', '#token=', '#/inbox/a/b/c/token=1'])('is nothing in %j', (hash) => {
    expect(linkToken(hash)).toBeUndefined();
  });
});
