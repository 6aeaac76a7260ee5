import { useMemo, useRef, useState } from 'react';

import { ConversationPane } from '../conversation/conversation-pane.js';
import { useEscalations } from '../escalations/use-escalations.js';
import { useMessages } from '../i18n/use-messages.js';
import { useShortcuts } from '../keyboard/use-shortcuts.js';
import { EMPTY_INBOX } from '../live/inbox.js';
import { useOperator } from '../session/operator-context.js';
import { goTo } from '../shell/use-route.js';
import { QueryState } from '../ui/query-state.js';
import { TextBox } from '../ui/text-box.js';
import { FilterBar } from './filter-bar.js';
import { InboxList } from './inbox-list.js';
import { countByFilter, type InboxFilter, inboxRows, neighbour } from './inbox-view.js';
import { SearchResults } from './search-results.js';
import { useFill } from './use-fill.js';
import { useInbox } from './use-inbox.js';

/** The list of conversations beside the one that is open. */
export function InboxPage({ selected }: { selected: string | undefined }) {
  const { t } = useMessages();
  const { hash } = useOperator();
  const query = useInbox();
  const inbox = query.data ?? EMPTY_INBOX;
  const [filter, setFilter] = useState<InboxFilter>('all');
  const [text, setText] = useState('');
  const searchBox = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const rows = useMemo(() => inboxRows(inbox, filter, hash, text), [inbox, filter, hash, text]);
  const counts = useMemo(() => countByFilter(inbox, hash), [inbox, hash]);
  const pending = useEscalations('pending', filter === 'escalated').data?.entries.length ?? 0;
  const isMissing = selected !== undefined && !inbox.rows.has(selected);
  const isFilling = useFill(inbox, isMissing || (filter === 'escalated' && rows.length < pending));

  const open = (conversation: string | undefined) => {
    if (conversation !== undefined) goTo({ place: 'inbox', conversation });
  };
  useShortcuts({
    next: () => open(neighbour(rows, selected, 1)),
    previous: () => open(neighbour(rows, selected, -1)),
    search: () => searchBox.current?.focus(),
    back: () => (document.activeElement === searchBox.current ? searchBox.current?.blur() : goTo({ place: 'inbox' })),
  });

  return (
    <div className="inbox">
      <section className="inbox-side" aria-label={t('inbox.label')}>
        <h1 className="visually-hidden">{t('nav.inbox')}</h1>
        <TextBox
          label={t('inbox.search')}
          placeholder={t('inbox.searchHint')}
          type="search"
          hideLabel
          value={text}
          onChange={setText}
          inputRef={searchBox}
        />
        <FilterBar filter={filter} counts={counts} hasMore={inbox.nextCursor !== undefined} onChange={setFilter} />
        {query.data === undefined ? <QueryState query={query} what={t('what.conversations')} /> : null}
        {query.data === undefined ? null : text.trim() === '' ? (
          <InboxList rows={rows} selected={selected} isFilling={isFilling} />
        ) : (
          <SearchResults inbox={inbox} rows={rows} text={text} selected={selected} />
        )}
      </section>
      {selected === undefined ? (
        <section className="pane pane-empty">
          <p>{t('inbox.choose')}</p>
        </section>
      ) : (
        <ConversationPane
          key={selected}
          conversationKey={selected}
          conversation={inbox.rows.get(selected)}
          isLooking={query.isPending || isFilling}
        />
      )}
    </div>
  );
}
