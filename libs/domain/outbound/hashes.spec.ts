import { contentSha256, outboundTextSha256 } from './hashes.js';

const message = { channel: 'whatsapp', accountId: '55', recipient: 'c', body: 'Está listo' };
const hash = (more: Partial<typeof message> = {}) => outboundTextSha256({ ...message, ...more }).toString('hex');

describe('the hash of a message’s text', () => {
  it('is the same for another Unicode form and for blanks around it', () => {
    expect(hash({ body: ' Está listo\n'.normalize('NFD') })).toBe(hash());
  });

  it.each([{ channel: 'sms' }, { accountId: '56' }, { recipient: 'd' }, { body: 'Esta listo' }])(
    'is another one with %j',
    (more) => {
      expect(hash(more)).not.toBe(hash());
    },
  );

  it('cannot be had with another split of the same characters', () => {
    expect(hash({ channel: 'whatsapp5', accountId: '5' })).not.toBe(hash());
  });
});

describe('the hash of an action', () => {
  const hashOf = (value: unknown) => contentSha256(value).toString('hex');

  it('does not depend on the order of keys, at any depth', () => {
    expect(hashOf({ a: [{ b: 1, c: 2 }], d: 3 })).toBe(hashOf({ d: 3, a: [{ c: 2, b: 1 }] }));
  });

  it('depends on the order of a list, on values and on their types', () => {
    const hashes = [{ a: [1, 2] }, { a: [2, 1] }, { a: ['1', 2] }, { a: [1] }].map(hashOf);
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
