import { useState } from 'react';

import type { ProcessingScope } from '#contracts/processing-scope.js';

import { keyOfScope } from '../conversation-key.js';
import { useMessages } from '../i18n/use-messages.js';
import { useLive } from '../live/live-context.js';
import { goTo } from '../shell/use-route.js';
import { ActionButton } from '../ui/action-button.js';
import { DialogBox } from '../ui/dialog-box.js';
import { Notice } from '../ui/notice.js';
import { TextBox } from '../ui/text-box.js';
import { useCommand } from '../ui/use-command.js';

/** What an operator does about an escalation: hold the conversation, or say that it needs nobody. */
export function PendingActions({ scope, onDone }: { scope: ProcessingScope; onDone: () => void }) {
  const { t, tf } = useMessages();
  const { reader } = useLive();
  const pausing = useCommand('nexo/admin/processing/pause');
  const resolving = useCommand('nexo/admin/escalations/resolve');
  const [isDismissing, setDismissing] = useState(false);
  const [reason, setReason] = useState('');
  const conversation = keyOfScope(scope);

  const take = async (key: string) => {
    const ack = await pausing.run({ scope });
    if (ack === undefined) return;
    onDone();
    void reader.readHeld().catch(() => undefined);
    goTo({ place: 'inbox', conversation: key });
  };
  const dismiss = async () => {
    const told = reason.trim() === '' ? {} : { dismiss_reason: reason.trim() };
    const result = await resolving.run({ scope, by: 'dismissed', ...told });
    if (result === undefined) return;
    setDismissing(false);
    onDone();
  };
  return (
    <>
      {pausing.failure === undefined ? null : (
        <Notice kind="failure" isNews>
          {tf(pausing.failure)}
        </Notice>
      )}
      <div className="card-actions">
        {conversation === undefined ? null : (
          <ActionButton kind="primary" onPress={() => void take(conversation)} isRunning={pausing.isRunning}>
            {t('escalations.take')}
          </ActionButton>
        )}
        <ActionButton onPress={() => setDismissing(true)}>{t('escalations.dismiss')}</ActionButton>
      </div>
      <DialogBox title={t('escalations.dismissTitle')} isOpen={isDismissing} onClose={() => setDismissing(false)}>
        <TextBox label={t('escalations.dismissReason')} value={reason} onChange={setReason} rows={2} />
        {resolving.failure === undefined ? null : (
          <Notice kind="failure" isNews>
            {tf(resolving.failure)}
          </Notice>
        )}
        <div className="dialog-actions">
          <ActionButton onPress={() => setDismissing(false)}>{t('action.cancel')}</ActionButton>
          <ActionButton kind="primary" onPress={() => void dismiss()} isRunning={resolving.isRunning}>
            {t('escalations.dismissConfirm')}
          </ActionButton>
        </div>
      </DialogBox>
    </>
  );
}
