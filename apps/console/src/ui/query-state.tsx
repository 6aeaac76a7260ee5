import { useMessages } from '../i18n/use-messages.js';
import { ActionButton } from './action-button.js';
import { Notice } from './notice.js';

export interface QueryStateProps {
  query: { isPending: boolean; error: unknown; refetch: () => unknown };
  /** What is read, for what a screen reader says meanwhile. */
  what: string;
}

/** What stands where something is read and is not there yet, or cannot be had. */
export function QueryState({ query, what }: QueryStateProps) {
  const { t, tf } = useMessages();
  if (query.error !== null && query.error !== undefined) {
    return (
      <Notice kind="failure" isNews>
        <p>{tf(query.error)}</p>
        <ActionButton onPress={() => void query.refetch()}>{t('action.tryAgain')}</ActionButton>
      </Notice>
    );
  }
  if (!query.isPending) return null;
  return (
    <p className="loading" role="status">
      {t('state.reading', { what })}
    </p>
  );
}
