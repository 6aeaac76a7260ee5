import { useMessages } from '../i18n/use-messages.js';
import { DialogBox } from '../ui/dialog-box.js';
import { ActionButton } from '../ui/action-button.js';

/** A token that was just made. */
export interface NewToken {
  name: string;
  token: string;
}

/** Shows a token the only time that it can be seen. */
export function NewTokenDialog({ created, onClose }: { created: NewToken | undefined; onClose: () => void }) {
  const { t } = useMessages();
  return (
    <DialogBox title={t('operators.tokenTitle')} isOpen={created !== undefined} onClose={onClose} role="alertdialog">
      <p>{t('operators.tokenOnce', { name: created?.name ?? '' })}</p>
      <p>
        <code className="token">{created?.token}</code>
      </p>
      <div className="dialog-actions">
        <ActionButton kind="primary" onPress={onClose}>
          {t('operators.tokenKept')}
        </ActionButton>
      </div>
    </DialogBox>
  );
}
