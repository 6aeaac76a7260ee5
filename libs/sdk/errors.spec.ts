import { conflict, ERROR_CODES, type ErrorWord, notFound, RpcError, unavailable } from '#contracts/errors.js';

import {
  type CapabilityNotGranted,
  type ChannelRejected,
  Conflict,
  HoldlineError,
  NotFound,
  type ScopeNotPaused,
  toHoldlineError,
  type Unavailable,
} from './errors.js';

describe('the errors', () => {
  test.each(Object.keys(ERROR_CODES) as ErrorWord[])('%s has a class of its own kind', (word) => {
    const error = toHoldlineError(new RpcError(word, 'a detail').toJson());
    expect(error).toBeInstanceOf(HoldlineError);
    expect(error.constructor).not.toBe(HoldlineError);
    expect(error).toMatchObject({ word, reason: word, code: ERROR_CODES[word], message: `${word}: a detail` });
    expect(error.name).toBe(error.constructor.name);
  });

  test('carry what the contract says beside the word', () => {
    const throttled = toHoldlineError(conflict('throttled', 'later', { retry_after_ms: 60_000 }).toJson());
    expect(throttled).toBeInstanceOf(Conflict);
    expect(throttled).toMatchObject({ word: 'conflict', reason: 'throttled', retryAfterMs: 60_000 });
    const unknown = toHoldlineError(notFound('unknown_turn', 'no such turn').toJson());
    expect(unknown).toBeInstanceOf(NotFound);
    expect(unknown.reason).toBe('unknown_turn');
    const committed = toHoldlineError(unavailable('away', { committed: true }).toJson()) as Unavailable;
    expect(committed.committed).toBe(true);
    const rejected = toHoldlineError(new RpcError('channel_rejected', 'no', { detail: 'blocked' }).toJson());
    expect((rejected as ChannelRejected).detail).toBe('blocked');
    const data = { capability: 'people_manage' };
    const notGranted = toHoldlineError(new RpcError('capability_not_granted', 'no', data).toJson());
    expect((notGranted as CapabilityNotGranted).capability).toBe('people_manage');
    const path = toHoldlineError(new RpcError('scope_not_paused', 'no', { path: 'scope' }).toJson());
    expect((path as ScopeNotPaused).path).toBe('scope');
  });

  test('of a word that is not known yet is a plain HoldlineError', () => {
    const error = toHoldlineError({ code: -32099, message: 'toString: from the future', data: { reason: 'soon' } });
    expect(error.constructor).toBe(HoldlineError);
    expect(error).toMatchObject({ word: 'toString', reason: 'soon' });
  });
});
