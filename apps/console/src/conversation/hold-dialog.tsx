import { useState } from 'react';

import { useMessages } from '../i18n/use-messages.js';
import { ActionButton } from '../ui/action-button.js';
import { Choice } from '../ui/choice.js';
import { DialogBox } from '../ui/dialog-box.js';
import { TextBox } from '../ui/text-box.js';
import { AUTO_HAND_BACKS, type AutoHandBack, holdOptions } from './hold-options.js';
import type { HoldCommand } from './use-hold.js';

export interface HoldDialogProps {
  isOpen: boolean;
  onClose: () => void;
  hold: HoldCommand;
}

/** A Hold with a reason and a time at which it ends by itself. */
export function HoldDialog({ isOpen, onClose, hold }: HoldDialogProps) {
  const { t } = useMessages();
  const [reason, setReason] = useState('');
  const [after, setAfter] = useState<AutoHandBack>('never');
  const [minutes, setMinutes] = useState('30');
  const options = holdOptions({ reason, after, minutes });
  const submit = async () => {
    if (options === undefined) return;
    await hold.run(options);
    onClose();
  };
  return (
    <DialogBox title={t('hold.title')} isOpen={isOpen} onClose={onClose}>
      <div className="stack">
        <TextBox label={t('hold.reason')} value={reason} onChange={setReason} hint={t('hold.reasonHint')} />
        <Choice
          label={t('hold.auto')}
          value={after}
          options={AUTO_HAND_BACKS.map((value) => ({ value, label: t(`hold.auto.${value}`) }))}
          onChange={setAfter}
        />
        {after === 'custom' ? (
          <TextBox
            label={t('hold.minutes')}
            type="number"
            value={minutes}
            onChange={setMinutes}
            isInvalid={options === undefined}
            hint={t('hold.minutesHint')}
          />
        ) : null}
      </div>
      <div className="dialog-actions">
        <ActionButton onPress={onClose}>{t('action.cancel')}</ActionButton>
        <ActionButton
          kind="primary"
          onPress={() => void submit()}
          isRunning={hold.isRunning}
          isDisabled={options === undefined}
        >
          {t('action.hold')}
        </ActionButton>
      </div>
    </DialogBox>
  );
}
