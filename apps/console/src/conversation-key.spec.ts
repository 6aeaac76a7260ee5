import * as fc from 'fast-check';

import { keyOf, scopeOfKey } from './conversation-key.js';

const id = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.isWellFormed());

describe('keyOf', () => {
  it('leads back to the conversation, whatever its ids hold', () => {
    const scopes = fc.record(
      {
        kind: fc.constant('conversation' as const),
        agent_id: id,
        channel: id,
        account_id: id,
        contact_id: id,
        mcp_channel_source: id,
      },
      { requiredKeys: ['kind', 'agent_id', 'channel', 'account_id', 'contact_id'] },
    );
    fc.assert(fc.property(scopes, (scope) => expect(scopeOfKey(keyOf(scope as never))).toEqual(scope)));
  });

  it.each(['', 'a/b/c', 'a/b//d', '%/b/c/d', 'a/b/c/d/e/f'])('knows that %j is no key', (key) => {
    expect(scopeOfKey(key)).toBeUndefined();
  });
});
