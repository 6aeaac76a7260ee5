import { useState } from 'react';
import { Checkbox, CheckboxGroup, Label } from 'react-aria-components';

import type { Capability } from '#contracts/capabilities.js';

import { useMessages } from '../i18n/use-messages.js';
import { ActionButton } from '../ui/action-button.js';
import { DialogBox } from '../ui/dialog-box.js';
import { Notice } from '../ui/notice.js';
import { TextBox } from '../ui/text-box.js';
import { useCommand } from '../ui/use-command.js';
import { ANSWERING, CAPABILITIES } from './capability-list.js';
import type { NewToken } from './new-token-dialog.js';

export interface NewOperatorDialogProps {
  onClose: () => void;
  onCreated: (created: NewToken) => void;
}

export function NewOperatorDialog({ onClose, onCreated }: NewOperatorDialogProps) {
  const { t, tf } = useMessages();
  const creating = useCommand('nexo/admin/operators/create');
  const [name, setName] = useState('');
  const [capabilities, setCapabilities] = useState<string[]>([...ANSWERING]);
  const create = async () => {
    const params = { name: name.trim(), capabilities: capabilities as Capability[] };
    const result = await creating.run(params);
    if (result !== undefined) onCreated({ name: result.operator.name, token: result.token });
  };
  return (
    <DialogBox title={t('operators.add')} isOpen onClose={onClose}>
      <div className="stack">
        <TextBox label={t('operators.name')} value={name} onChange={setName} autoFocus />
        <CheckboxGroup className="checkboxes" value={capabilities} onChange={setCapabilities}>
          <Label>{t('operators.capabilities')}</Label>
          {CAPABILITIES.map((capability) => (
            <Checkbox key={capability} value={capability} className="checkbox">
              <span className="checkbox-box" aria-hidden="true" />
              {t(`capability.${capability}`)}
            </Checkbox>
          ))}
        </CheckboxGroup>
        {creating.failure === undefined ? null : (
          <Notice kind="failure" isNews>
            {tf(creating.failure)}
          </Notice>
        )}
      </div>
      <div className="dialog-actions">
        <ActionButton onPress={onClose}>{t('action.cancel')}</ActionButton>
        <ActionButton
          kind="primary"
          onPress={() => void create()}
          isRunning={creating.isRunning}
          isDisabled={name.trim() === ''}
        >
          {t('operators.create')}
        </ActionButton>
      </div>
    </DialogBox>
  );
}
