import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { useMessages } from '../i18n/use-messages.js';
import { queryKeys } from '../live/query-keys.js';
import { useOperators } from '../operators/use-operator-names.js';
import { useOperator } from '../session/operator-context.js';
import { ActionButton } from '../ui/action-button.js';
import { Choice } from '../ui/choice.js';
import { QueryState } from '../ui/query-state.js';
import { TextBox } from '../ui/text-box.js';
import { useSettledValue } from '../ui/use-settled-value.js';
import { AUDIT_OUTCOMES, AUDIT_SPANS, type AuditFilter, auditParams, EVERYTHING } from './audit-filter.js';
import { AuditTable } from './audit-table.js';

const TYPING_MS = 350;

/** Who has commanded what. */
export function AuditPage() {
  const { t } = useMessages();
  const [filter, setFilter] = useState(EVERYTHING);
  const query = useAudit(useSettledValue(filter, TYPING_MS));
  const operators = useOperators().data?.operators ?? [];
  const change = (changed: Partial<AuditFilter>) => setFilter((before) => ({ ...before, ...changed }));
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <section className="page">
      <h1>{t('nav.audit')}</h1>
      <div className="page-filters">
        <TextBox
          label={t('audit.method')}
          placeholder="processing/pause"
          value={filter.method}
          onChange={(method) => change({ method })}
        />
        {operators.length === 0 ? (
          <TextBox label={t('audit.operator')} value={filter.operator} onChange={(operator) => change({ operator })} />
        ) : (
          <Choice
            label={t('audit.operator')}
            value={filter.operator}
            options={[
              { value: '', label: t('audit.all') },
              ...operators.map(({ token_hash, name }) => ({ value: token_hash, label: name })),
            ]}
            onChange={(operator) => change({ operator })}
          />
        )}
        <Choice
          label={t('audit.outcome')}
          value={filter.outcome}
          options={AUDIT_OUTCOMES.map((value) => ({ value, label: t(`audit.outcome.${value}`) }))}
          onChange={(outcome) => change({ outcome })}
        />
        <Choice
          label={t('audit.span')}
          value={filter.span}
          options={AUDIT_SPANS.map((value) => ({ value, label: t(`audit.span.${value}`) }))}
          onChange={(span) => change({ span })}
        />
        <ActionButton onPress={() => void query.refetch()} isRunning={query.isRefetching}>
          {t('action.refresh')}
        </ActionButton>
      </div>
      {query.data === undefined ? <QueryState query={query} what={t('nav.audit')} /> : <AuditTable rows={rows} />}
      {query.hasNextPage ? (
        <ActionButton onPress={() => void query.fetchNextPage()} isRunning={query.isFetchingNextPage}>
          {t('action.more')}
        </ActionButton>
      ) : null}
    </section>
  );
}

function useAudit(filter: AuditFilter) {
  const { client } = useOperator();
  return useInfiniteQuery({
    queryKey: [...queryKeys.audit, filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === undefined ? {} : { cursor: pageParam };
      return client.call('nexo/admin/audit/list', { ...auditParams(filter, Date.now()), ...cursor }, signal);
    },
    getNextPageParam: (page) => page.next_cursor,
  });
}
