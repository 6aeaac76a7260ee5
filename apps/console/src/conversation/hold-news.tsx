import { useMessages } from '../i18n/use-messages.js';
import { useOperatorNames } from '../operators/use-operator-names.js';
import { ActionButton } from '../ui/action-button.js';
import { Notice } from '../ui/notice.js';
import { Time } from '../ui/time.js';
import type { HoldCommand } from './use-hold.js';

/** What came of a Hold or take-over, if it is not what was wanted. */
export function HoldNews({ hold, onTakeOver }: { hold: HoldCommand; onTakeOver: () => void }) {
  const { t, tf } = useMessages();
  const nameOf = useOperatorNames();
  if (hold.failure !== undefined) {
    return (
      <Notice kind="failure" isNews>
        <p>{tf(hold.failure)}</p>
        <ActionButton kind="quiet" onPress={hold.clear}>
          {t('action.dismiss')}
        </ActionButton>
      </Notice>
    );
  }
  if (hold.heldBy === undefined) return null;
  return (
    <Notice kind="warning" isNews>
      <p>
        {t('conflict.heldByOther', { name: nameOf(hold.heldBy.operator_token_hash) })}{' '}
        <Time ms={hold.heldBy.paused_at_ms} />
      </p>
      <ActionButton onPress={onTakeOver}>{t('action.takeOverAsk')}</ActionButton>
      <ActionButton kind="quiet" onPress={hold.clear}>
        {t('action.dismiss')}
      </ActionButton>
    </Notice>
  );
}
