import { requestSource } from './request-source.js';

describe('the source of a request', () => {
  it.each([
    ['_INBOX.QmFzZTY0.1', '_INBOX.QmFzZTY0'],
    ['_INBOX.QmFzZTY0.2', '_INBOX.QmFzZTY0'],
    ['_INBOX.operator.QmFzZTY0.7', '_INBOX.operator.QmFzZTY0'],
    ['_INBOX.QmFzZTY0', '_INBOX.QmFzZTY0'],
    ['', undefined],
    [undefined, undefined],
  ])('of the reply subject %j is %j', (reply, source) => {
    expect(requestSource(reply)).toBe(source);
  });
});
