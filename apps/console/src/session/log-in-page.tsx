import { type FormEvent, useState } from 'react';

import { logIn, type Session } from '../api/session.js';
import { useMessages } from '../i18n/use-messages.js';
import { ActionButton } from '../ui/action-button.js';
import { Notice } from '../ui/notice.js';
import { TextBox } from '../ui/text-box.js';

export interface LogInPageProps {
  /** Why the page did not open by itself. */
  failure?: unknown;
  /** The session was ended from elsewhere. */
  hasEnded: boolean;
  onLoggedIn: (session: Session) => void;
}

export function LogInPage({ failure, hasEnded, onLoggedIn }: LogInPageProps) {
  const { t, tf } = useMessages();
  const [token, setToken] = useState('');
  const [lastFailure, setLastFailure] = useState(failure);
  const [isRunning, setRunning] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (token.trim() === '' || isRunning) return;
    setRunning(true);
    setLastFailure(undefined);
    try {
      onLoggedIn(await logIn(token.trim()));
    } catch (error) {
      setLastFailure(error);
      setRunning(false);
    }
  };

  return (
    <main className="log-in">
      <form className="log-in-card" onSubmit={(event) => void submit(event)}>
        <img src="/icon.svg" alt="" width="40" height="40" />
        <h1>{t('logIn.title')}</h1>
        <p>{t('logIn.intro')}</p>
        {hasEnded ? (
          <Notice kind="warning" isNews>
            {t('logIn.ended')}
          </Notice>
        ) : null}
        {lastFailure === undefined ? null : (
          <Notice kind="failure" isNews>
            {tf(lastFailure)}
          </Notice>
        )}
        <TextBox label={t('logIn.token')} type="password" value={token} onChange={setToken} />
        <ActionButton type="submit" kind="primary" isRunning={isRunning}>
          {t('logIn.submit')}
        </ActionButton>
      </form>
    </main>
  );
}
