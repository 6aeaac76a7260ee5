import type { Conversation } from '#contracts/conversations-list.js';

import { EMPTY_INBOX, mergeConversations } from '../live/inbox.js';
import { countByFilter, type InboxFilter, inboxRows, neighbour } from './inbox-view.js';

function conversation(contact_id: string, lastActivityMs: number, holder?: string, escalated = false): Conversation {
  const scope = { kind: 'conversation', agent_id: 'ana', channel: 'web', account_id: 'main', contact_id } as const;
  return {
    scope,
    state:
      holder === undefined
        ? { state: 'agent_active' }
        : { state: 'paused_by_operator', scope, paused_at_ms: 1, operator_token_hash: holder },
    epoch: 0,
    pending_depth: 0,
    dropped_total: 0,
    last_activity_ms: lastActivityMs,
    ...(escalated
      ? { escalation: { urgency: 'high' as const, reason: 'complaint' as const, requested_at_ms: 1 } }
      : {}),
  };
}

const INBOX = mergeConversations(EMPTY_INBOX, [
  conversation('ada', 1),
  conversation('bob', 3, 'me'),
  conversation('cleo', 2, 'other', true),
  conversation('Dora', 2),
]);

const contacts = (filter: InboxFilter, text?: string) =>
  inboxRows(INBOX, filter, 'me', text).map(({ conversation: { scope } }) => scope.contact_id);

describe('inboxRows', () => {
  it('has those that were active last at the top', () => {
    expect(contacts('all')).toEqual(['bob', 'Dora', 'cleo', 'ada']);
  });

  it('filters by who has them and by escalation, and counts alike', () => {
    expect(contacts('mine')).toEqual(['bob']);
    expect(contacts('held')).toEqual(['bob', 'cleo']);
    expect(contacts('escalated')).toEqual(['cleo']);
    expect(countByFilter(INBOX, 'me')).toEqual({ all: 4, mine: 1, held: 2, escalated: 1 });
  });

  it('finds ids in any case', () => {
    expect(contacts('all', ' dO ')).toEqual(['Dora']);
  });

  it('sorts 10,000 rows in a moment', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => conversation(`contact ${index}`, index % 97));
    const inbox = mergeConversations(EMPTY_INBOX, many);
    const startedAt = performance.now();
    expect(inboxRows(inbox, 'all', 'me')).toHaveLength(10_000);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});

describe('neighbour', () => {
  const rows = inboxRows(INBOX, 'all', 'me');

  it('goes down and up, and stops at both ends', () => {
    const [first, second] = rows;
    const last = rows.at(-1);
    expect(neighbour(rows, undefined, 1)).toBe(first?.key);
    expect(neighbour(rows, first?.key, 1)).toBe(second?.key);
    expect(neighbour(rows, first?.key, -1)).toBe(first?.key);
    expect(neighbour(rows, last?.key, 1)).toBe(last?.key);
    expect(neighbour([], undefined, 1)).toBeUndefined();
  });
});
