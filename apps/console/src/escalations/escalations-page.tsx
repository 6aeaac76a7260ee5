import { useState } from 'react';

import { useMessages } from '../i18n/use-messages.js';
import { Choice } from '../ui/choice.js';
import { QueryState } from '../ui/query-state.js';
import { EscalationCard } from './escalation-card.js';
import { inQueueOrder } from './queue-order.js';
import { type EscalationsFilter, useEscalations } from './use-escalations.js';

const FILTERS = ['pending', 'resolved', 'all'] as const satisfies readonly EscalationsFilter[];

/** Where agents ask for a person. */
export function EscalationsPage() {
  const { t } = useMessages();
  const [filter, setFilter] = useState<EscalationsFilter>('pending');
  const query = useEscalations(filter);
  const entries = inQueueOrder(query.data?.entries ?? []);
  return (
    <section className="page">
      <h1>{t('nav.escalations')}</h1>
      <div className="page-filters">
        <Choice
          label={t('escalations.filter')}
          value={filter}
          options={FILTERS.map((value) => ({ value, label: t(`escalations.filter.${value}`) }))}
          onChange={setFilter}
        />
      </div>
      {query.data === undefined ? <QueryState query={query} what={t('nav.escalations')} /> : null}
      {query.data !== undefined && entries.length === 0 ? (
        <p className="nothing">{t(`escalations.none.${filter}`)}</p>
      ) : null}
      <ul className="cards">
        {entries.map((entry) => (
          <li key={JSON.stringify(entry.scope)}>
            <EscalationCard entry={entry} />
          </li>
        ))}
      </ul>
    </section>
  );
}
