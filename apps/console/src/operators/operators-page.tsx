import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { useMessages } from '../i18n/use-messages.js';
import { queryKeys } from '../live/query-keys.js';
import { ActionButton } from '../ui/action-button.js';
import { QueryState } from '../ui/query-state.js';
import { NewOperatorDialog } from './new-operator-dialog.js';
import { type NewToken, NewTokenDialog } from './new-token-dialog.js';
import { OperatorCard } from './operator-card.js';
import { useOperators } from './use-operator-names.js';

/** Who may use Holdline. */
export function OperatorsPage() {
  const { t } = useMessages();
  const cache = useQueryClient();
  const query = useOperators();
  const [isAdding, setAdding] = useState(false);
  const [newToken, setNewToken] = useState<NewToken | undefined>(undefined);
  const refresh = () => void cache.invalidateQueries({ queryKey: queryKeys.operators });
  const showToken = (token: NewToken) => {
    setAdding(false);
    setNewToken(token);
    refresh();
  };
  return (
    <section className="page">
      <h1>{t('nav.operators')}</h1>
      {query.data === undefined ? (
        <QueryState query={query} what={t('nav.operators')} />
      ) : (
        <>
          <div className="page-filters">
            <ActionButton kind="primary" onPress={() => setAdding(true)}>
              {t('operators.add')}
            </ActionButton>
          </div>
          <ul className="cards">
            {query.data.operators.map((operator) => (
              <li key={operator.token_hash}>
                <OperatorCard operator={operator} onNewToken={showToken} onChanged={refresh} />
              </li>
            ))}
          </ul>
        </>
      )}
      {isAdding ? <NewOperatorDialog onClose={() => setAdding(false)} onCreated={showToken} /> : null}
      <NewTokenDialog created={newToken} onClose={() => setNewToken(undefined)} />
    </section>
  );
}
