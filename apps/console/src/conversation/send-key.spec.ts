import { sendKey, settles } from './send-key.js';

let made = 0;
const newKey = () => `key ${(made += 1)}`;

describe('sendKey', () => {
  it('stays the same for the same message, so that it sends once', () => {
    const first = sendKey(undefined, { body: 'a' }, newKey);
    expect(sendKey(first, { body: 'a' }, newKey)).toBe(first);
  });

  it('is a new one for another message', () => {
    const first = sendKey(undefined, { body: 'a' }, newKey);
    expect(sendKey(first, { body: 'b' }, newKey).key).not.toBe(first.key);
  });
});

describe('settles', () => {
  it('asks for the outcome of what nobody knows, and sends anew what was refused', () => {
    expect(['unreachable', 'unavailable', 'internal', 'rate_limited'].map(settles)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(['channel_rejected', 'channel_timeout', 'held_by_other_operator'].map(settles)).toEqual([true, true, true]);
  });
});
