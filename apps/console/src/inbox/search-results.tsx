import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { onOneLine } from '../format/safe-text.js';
import { useMessages } from '../i18n/use-messages.js';
import { type Inbox, sessionKey } from '../live/inbox.js';
import { queryKeys } from '../live/query-keys.js';
import { useOperator } from '../session/operator-context.js';
import { routeHash } from '../shell/routes.js';
import { Name } from '../ui/name.js';
import { QueryState } from '../ui/query-state.js';
import { Time } from '../ui/time.js';
import { useSettledValue } from '../ui/use-settled-value.js';
import { ConversationLink } from './conversation-link.js';
import type { InboxRow } from './inbox-view.js';

const MOST_MATCHES = 20;
const MOST_AGENTS = 50;
const MOST_HITS = 50;
const TYPING_MS = 350;

export interface SearchResultsProps {
  inbox: Inbox;
  /** Conversations with the text in one of their ids. */
  rows: readonly InboxRow[];
  text: string;
  selected: string | undefined;
}

export function SearchResults({ inbox, rows, text, selected }: SearchResultsProps) {
  const { t, tn } = useMessages();
  const query = useSearch(inbox, useSettledValue(text.trim(), TYPING_MS));
  return (
    <div className="inbox-scroll" tabIndex={0} role="region" aria-label={t('search.results')}>
      {rows.length === 0 ? null : (
        <>
          <h2 className="list-title">{t('search.conversations')}</h2>
          <ul className="plain-list">
            {rows.slice(0, MOST_MATCHES).map((row) => (
              <li key={row.key}>
                <ConversationLink row={row} isSelected={row.key === selected} isTabStop />
              </li>
            ))}
          </ul>
        </>
      )}
      <h2 className="list-title">{t('search.transcripts')}</h2>
      {query.data === undefined ? <QueryState query={query} what={t('what.transcripts')} /> : null}
      <p className="hint list-hint" role="status">
        {query.data === undefined ? '' : tn('search.found', query.data.length)}
      </p>
      <ul className="plain-list">
        {(query.data ?? []).map(({ agentId, hit }, index) => {
          const key = inbox.bySession.get(sessionKey(agentId, hit.session_id))?.[0];
          const scope = key === undefined ? undefined : inbox.rows.get(key)?.scope;
          const content = (
            <>
              <span className="row-top">
                <span className="row-contact">
                  <Name>{scope?.contact_id ?? agentId}</Name>
                </span>
                <Time ms={hit.timestamp_ms} />
              </span>
              <span className="hit-snippet" dir="auto">
                {t(`role.${hit.role}`)}: {onOneLine(hit.snippet)}
              </span>
            </>
          );
          return (
            <li key={`${hit.session_id} ${hit.timestamp_ms} ${index}`}>
              {key === undefined ? (
                <div className="conversation-link">{content}</div>
              ) : (
                <a className="conversation-link" href={routeHash({ place: 'inbox', conversation: key })}>
                  {content}
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function useSearch(inbox: Inbox, text: string) {
  const { client } = useOperator();
  const agents = useMemo(() => agentsOf(inbox), [inbox]);
  return useQuery({
    queryKey: queryKeys.search(agents, text),
    enabled: text !== '',
    queryFn: async ({ signal }) => {
      const questions = agents.map((agent_id) => ({ agent_id, query: text, limit: MOST_HITS }));
      const answers = await client.callEach('nexo/admin/agent_events/search', questions, signal);
      const hits = answers.flatMap((answer, index) =>
        answer.hits.map((hit) => ({ agentId: agents[index] ?? '', hit })),
      );
      return hits.sort((a, b) => b.hit.timestamp_ms - a.hit.timestamp_ms).slice(0, MOST_HITS);
    },
  });
}

function agentsOf(inbox: Inbox): string[] {
  return [...new Set([...inbox.rows.values()].map(({ scope }) => scope.agent_id))].sort().slice(0, MOST_AGENTS);
}
