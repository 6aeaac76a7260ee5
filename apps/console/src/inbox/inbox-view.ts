import type { Conversation } from '#contracts/conversations-list.js';

import type { Inbox } from '../live/inbox.js';

export const INBOX_FILTERS = ['all', 'mine', 'held', 'escalated'] as const;
export type InboxFilter = (typeof INBOX_FILTERS)[number];

/** A row of the list. */
export interface InboxRow {
  key: string;
  conversation: Conversation;
}

/** The rows of a filter, last active first, those with the text in one of their ids. */
export function inboxRows(inbox: Inbox, filter: InboxFilter, operator: string, text = ''): InboxRow[] {
  const wanted = text.trim().toLocaleLowerCase();
  const rows: InboxRow[] = [];
  for (const [key, conversation] of inbox.rows) {
    if (passes(conversation, filter, operator) && hasText(conversation, wanted)) rows.push({ key, conversation });
  }
  return rows.sort(byActivity);
}

/** How many conversations each filter has. */
export function countByFilter(inbox: Inbox, operator: string): Record<InboxFilter, number> {
  const counts: Record<InboxFilter, number> = { all: 0, mine: 0, held: 0, escalated: 0 };
  for (const conversation of inbox.rows.values()) {
    for (const filter of INBOX_FILTERS) if (passes(conversation, filter, operator)) counts[filter] += 1;
  }
  return counts;
}

/** The key of the row that lies `step` rows from the selected one; the first when none is selected. */
export function neighbour(rows: readonly InboxRow[], selected: string | undefined, step: 1 | -1): string | undefined {
  const index = rows.findIndex((row) => row.key === selected);
  if (index === -1) return rows[0]?.key;
  return rows[Math.min(rows.length - 1, Math.max(0, index + step))]?.key;
}

function passes({ state, escalation }: Conversation, filter: InboxFilter, operator: string): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'held':
      return state.state === 'paused_by_operator';
    case 'mine':
      return state.state === 'paused_by_operator' && state.operator_token_hash === operator;
    case 'escalated':
      return escalation !== undefined;
  }
}

function hasText({ scope }: Conversation, wanted: string): boolean {
  if (wanted === '') return true;
  return [scope.contact_id, scope.agent_id, scope.channel, scope.account_id].some((id) =>
    id.toLocaleLowerCase().includes(wanted),
  );
}

/** Those of the same moment keep an order of their own, so that rows do not jump. */
function byActivity(a: InboxRow, b: InboxRow): number {
  return b.conversation.last_activity_ms - a.conversation.last_activity_ms || (a.key < b.key ? -1 : 1);
}
