import { type KeyboardEvent, memo } from 'react';

import type { Conversation } from '#contracts/conversations-list.js';

import { onOneLine } from '../format/safe-text.js';
import { useMessages } from '../i18n/use-messages.js';
import { useOperatorNames } from '../operators/use-operator-names.js';
import { useOperator } from '../session/operator-context.js';
import { routeHash } from '../shell/routes.js';
import { Name } from '../ui/name.js';
import { Time } from '../ui/time.js';
import { holderOf } from './holder.js';
import type { InboxRow } from './inbox-view.js';

export interface ConversationLinkProps {
  row: InboxRow;
  isSelected: boolean;
  /** Tab stops at one row of the list; the arrow keys go on from there. */
  isTabStop: boolean;
}

export const ConversationLink = memo(function ConversationLink({ row, isSelected, isTabStop }: ConversationLinkProps) {
  const { t } = useMessages();
  const { scope, last_entry, last_activity_ms } = row.conversation;
  return (
    <a
      className="conversation-link"
      href={routeHash({ place: 'inbox', conversation: row.key })}
      aria-current={isSelected ? 'true' : undefined}
      tabIndex={isTabStop ? 0 : -1}
      onKeyDown={moveFocus}
    >
      <span className="row-top">
        <span className="row-contact">
          <Name>{scope.contact_id}</Name>
        </span>
        <Time ms={last_activity_ms} />
      </span>
      <span className="row-line" dir="auto">
        {last_entry === undefined
          ? t('row.nothingSaid')
          : `${t(`role.${last_entry.role}`)}: ${onOneLine(last_entry.body)}`}
      </span>
      <span className="row-bottom">
        <span className="row-agent">
          <Name>{scope.agent_id}</Name> · <Name>{scope.channel}</Name>
        </span>
        <Badges conversation={row.conversation} />
      </span>
    </a>
  );
});

function Badges({ conversation }: { conversation: Conversation }) {
  const { t, tn } = useMessages();
  const { hash } = useOperator();
  const nameOf = useOperatorNames();
  const { escalation, pending_depth, dropped_total } = conversation;
  const holder = holderOf(conversation, hash);
  return (
    <span className="badges">
      {escalation === undefined ? null : (
        <span className={`badge badge-${escalation.urgency}`}>
          {t('row.escalated', { urgency: t(`urgency.${escalation.urgency}`) })}
        </span>
      )}
      {holder.kind === 'agent' ? null : (
        <span className={`badge badge-${holder.kind}`}>
          {holder.kind === 'me' ? t('row.mine') : t('row.held', { name: nameOf(holder.since.operator_token_hash) })}
        </span>
      )}
      {pending_depth === 0 ? null : <span className="badge badge-waiting">{tn('row.waiting', pending_depth)}</span>}
      {dropped_total === 0 ? null : <span className="badge badge-dropped">{tn('row.dropped', dropped_total)}</span>}
    </span>
  );
}

function moveFocus(event: KeyboardEvent<HTMLAnchorElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const item = event.currentTarget.closest('li');
  const other = event.key === 'ArrowDown' ? item?.nextElementSibling : item?.previousElementSibling;
  const link = other?.querySelector('a');
  if (link === null || link === undefined) return;
  event.preventDefault();
  link.focus();
}
