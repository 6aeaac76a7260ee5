import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import type { EscalationState } from '#contracts/escalation-state.js';
import type { EscalationEntry } from '#contracts/escalations-list.js';

import { keyOfScope } from '../conversation-key.js';
import { BodyText } from '../conversation/body-text.js';
import { attachmentText, clip } from '../format/safe-text.js';
import { useMessages } from '../i18n/use-messages.js';
import { queryKeys } from '../live/query-keys.js';
import { routeHash } from '../shell/routes.js';
import { Name } from '../ui/name.js';
import { Time } from '../ui/time.js';
import { PendingActions } from './pending-actions.js';

const MOST_CHARACTERS = 4_000;

export function EscalationCard({ entry }: { entry: EscalationEntry }) {
  const { t } = useMessages();
  const key = keyOfScope(entry.scope);
  const contact = 'contact_id' in entry.scope ? entry.scope.contact_id : entry.scope.kind;
  return (
    <article className="card">
      <header className="card-head">
        <h2>
          {key === undefined ? (
            <Name>{contact}</Name>
          ) : (
            <a href={routeHash({ place: 'inbox', conversation: key })}>
              <Name>{contact}</Name>
            </a>
          )}
        </h2>
        <span className="hint">
          {t('conversation.with')} <Name>{entry.agent_id}</Name>
        </span>
      </header>
      <CardBody entry={entry} state={entry.state} />
    </article>
  );
}

function CardBody({ entry, state }: { entry: EscalationEntry; state: EscalationState }) {
  const { t } = useMessages();
  const cache = useQueryClient();
  const [hasContext, setContext] = useState(false);
  if (state.state === 'none') return null;
  if (state.state === 'resolved') {
    const { by, resolved_at_ms } = state;
    return (
      <p>
        {t(`escalations.by.${by.kind}`)} <Time ms={resolved_at_ms} />
        {by.kind === 'operator_dismissed' && by.reason !== undefined ? (
          <>
            {': '}
            <bdi>{by.reason}</bdi>
          </>
        ) : null}
      </p>
    );
  }
  return (
    <>
      <p className="badges">
        <span className={`badge badge-${state.urgency}`}>{t(`urgency.${state.urgency}`)}</span>
        <span className="badge">{t(`escalationReason.${state.reason}`)}</span>
        <span className="hint">
          {t('escalations.waits')} <Time ms={state.requested_at_ms} as="age" />
        </span>
      </p>
      <BodyText text={state.summary} />
      {state.context === undefined ? null : (
        <details open={hasContext} onToggle={(event) => setContext(event.currentTarget.open)}>
          <summary>{t('escalations.context')}</summary>
          {hasContext ? <pre dir="ltr">{clip(attachmentText(state.context), MOST_CHARACTERS).shown}</pre> : null}
        </details>
      )}
      <PendingActions
        scope={entry.scope}
        onDone={() => void cache.invalidateQueries({ queryKey: queryKeys.escalations })}
      />
    </>
  );
}
