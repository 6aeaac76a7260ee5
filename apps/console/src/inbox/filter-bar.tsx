import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';

import { useMessages } from '../i18n/use-messages.js';
import { INBOX_FILTERS, type InboxFilter } from './inbox-view.js';

export interface FilterBarProps {
  filter: InboxFilter;
  counts: Record<InboxFilter, number>;
  /** Whether there are conversations that were not read yet, so that the count of all is a lower bound. */
  hasMore: boolean;
  onChange: (filter: InboxFilter) => void;
}

export function FilterBar({ filter, counts, hasMore, onChange }: FilterBarProps) {
  const { t } = useMessages();
  return (
    <ToggleButtonGroup
      className="filters"
      aria-label={t('inbox.filters')}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[filter]}
      onSelectionChange={([key]) => onChange(key as InboxFilter)}
    >
      {INBOX_FILTERS.map((name) => (
        <ToggleButton key={name} id={name} className="filter">
          {t(`filter.${name}`)}{' '}
          <span className="filter-count">
            {counts[name]}
            {hasMore && name === 'all' ? '+' : ''}
          </span>
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
