import { useMessages } from '../i18n/use-messages.js';
import type { Holder } from '../inbox/holder.js';
import { useOperatorNames } from '../operators/use-operator-names.js';
import { ActionButton } from '../ui/action-button.js';
import { DialogBox } from '../ui/dialog-box.js';
import { Time } from '../ui/time.js';
import type { HoldCommand } from './use-hold.js';

export interface TakeOverDialogProps {
  isOpen: boolean;
  onClose: () => void;
  hold: HoldCommand;
  holder: Holder & { kind: 'other' | 'outside' };
}

export function TakeOverDialog({ isOpen, onClose, hold, holder }: TakeOverDialogProps) {
  const { t } = useMessages();
  const nameOf = useOperatorNames();
  const confirm = async () => {
    await hold.run({ take_over: true });
    onClose();
  };
  return (
    <DialogBox title={t('takeOver.title')} role="alertdialog" isOpen={isOpen} onClose={onClose}>
      <p>
        {t('holder.other', { name: nameOf(holder.since.operator_token_hash) })}{' '}
        <Time ms={holder.since.paused_at_ms} as="full" />. {t('takeOver.consequence')}
      </p>
      <div className="dialog-actions">
        <ActionButton onPress={onClose} autoFocus>
          {t('action.cancel')}
        </ActionButton>
        <ActionButton kind="primary" onPress={() => void confirm()} isRunning={hold.isRunning}>
          {t('action.takeOver')}
        </ActionButton>
      </div>
    </DialogBox>
  );
}
