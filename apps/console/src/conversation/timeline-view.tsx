import { memo, useState } from 'react';

import { useMessages } from '../i18n/use-messages.js';
import { ActionButton } from '../ui/action-button.js';
import { Message } from './message.js';
import type { TimelineItem } from './timeline.js';

const SHOWN_AT_FIRST = 200;

/** The contact's message that a reply refers to. */
export interface Quoted {
  messageId: string;
  body: string;
}

export interface TimelineViewProps {
  items: readonly TimelineItem[];
  isReplyable: boolean;
  onQuote: (quoted: Quoted) => void;
}

/** What was said, the newest at the bottom, where the view stays while lines are added. */
export const TimelineView = memo(function TimelineView({ items, isReplyable, onQuote }: TimelineViewProps) {
  const { t, tn } = useMessages();
  const [most, setMost] = useState(SHOWN_AT_FIRST);
  const hidden = Math.max(0, items.length - most);
  return (
    <div className="timeline" tabIndex={0} role="log" aria-label={t('conversation.transcript')}>
      <div className="timeline-lines">
        {hidden === 0 ? null : (
          <ActionButton onPress={() => setMost(most + SHOWN_AT_FIRST)}>
            {tn('conversation.earlier', hidden)}
          </ActionButton>
        )}
        {items.length === 0 ? <p className="nothing">{t('conversation.empty')}</p> : null}
        {items.slice(hidden).map((item) => (
          <Message key={item.id} item={item} isReplyable={isReplyable} onQuote={onQuote} />
        ))}
      </div>
    </div>
  );
});
