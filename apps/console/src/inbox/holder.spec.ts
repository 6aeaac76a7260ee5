import { holderOf, mayReply } from './holder.js';

const scope = { kind: 'conversation', agent_id: 'ana', channel: 'web', account_id: 'main', contact_id: 'ada' } as const;
const heldBy = (operator_token_hash: string) =>
  holderOf({ state: { state: 'paused_by_operator', scope, paused_at_ms: 1, operator_token_hash } }, 'me');

describe('holderOf', () => {
  it('tells who has a conversation, and who may write to the contact', () => {
    const holders = [
      holderOf({ state: { state: 'agent_active' } }, 'me'),
      heldBy('me'),
      heldBy('other'),
      heldBy('external'),
    ];
    expect(holders.map(({ kind }) => kind)).toEqual(['agent', 'me', 'other', 'outside']);
    expect(holders.map(mayReply)).toEqual([false, true, false, true]);
  });
});
