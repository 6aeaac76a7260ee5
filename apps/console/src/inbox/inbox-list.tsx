import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';

import { useMessages } from '../i18n/use-messages.js';
import { useLive } from '../live/live-context.js';
import { ConversationLink } from './conversation-link.js';
import type { InboxRow } from './inbox-view.js';

const ROW_PX = 84;
const OVERSCAN = 8;
/** The next page is read when so many rows are left below. */
const READ_AHEAD = 30;

export interface InboxListProps {
  rows: readonly InboxRow[];
  selected: string | undefined;
  /** More rows are on their way by themselves. */
  isFilling: boolean;
}

/** The rows, of which only those in sight are in the page. */
export function InboxList({ rows, selected, isFilling }: InboxListProps) {
  const { t } = useMessages();
  const { reader } = useLive();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: OVERSCAN,
  });
  const items = virtualizer.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;

  useEffect(() => {
    if (lastShown >= rows.length - READ_AHEAD) void reader.readMore().catch(() => undefined);
  }, [lastShown, rows.length, reader]);

  const isInSight = items.some(({ key }) => key === selected);
  useEffect(() => {
    const index = selected === undefined ? -1 : rows.findIndex(({ key }) => key === selected);
    if (index !== -1) virtualizer.scrollToIndex(index, { align: 'auto' });
    // Only a new selection scrolls: rows that move by themselves must not.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [selected]);

  if (rows.length === 0) {
    return <p className="nothing">{isFilling ? t('inbox.filling') : t('inbox.none')}</p>;
  }
  return (
    <div className="inbox-scroll" ref={scroller}>
      <ul className="inbox-rows" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ key, index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              <ConversationLink
                row={row}
                isSelected={row.key === selected}
                isTabStop={row.key === selected || (!isInSight && index === 0)}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
