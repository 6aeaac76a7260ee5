import { useState } from 'react';

import type { Operator } from '#contracts/operator.js';

import { useMessages } from '../i18n/use-messages.js';
import { useOperator } from '../session/operator-context.js';
import { ActionButton } from '../ui/action-button.js';
import { DialogBox } from '../ui/dialog-box.js';
import { Name } from '../ui/name.js';
import { Notice } from '../ui/notice.js';
import { Time } from '../ui/time.js';
import { useCommand } from '../ui/use-command.js';
import type { NewToken } from './new-token-dialog.js';

export interface OperatorCardProps {
  operator: Operator;
  onNewToken: (created: NewToken) => void;
  onChanged: () => void;
}

export function OperatorCard({ operator, onNewToken, onChanged }: OperatorCardProps) {
  const { t } = useMessages();
  const { hash } = useOperator();
  const [asked, setAsked] = useState<'revoke' | 'rotate' | undefined>(undefined);
  const { token_hash, name, capabilities, created_at_ms, revoked_at_ms } = operator;
  return (
    <article className="card">
      <header className="card-head">
        <h2>
          <Name>{name}</Name>
        </h2>
        <code>{token_hash}</code>
        {token_hash === hash ? <span className="badge badge-me">{t('operator.you')}</span> : null}
      </header>
      <p className="hint">
        {t('operators.since')} <Time ms={created_at_ms} />
        {revoked_at_ms === undefined ? null : (
          <>
            {' · '}
            {t('operators.revoked')} <Time ms={revoked_at_ms} />
          </>
        )}
      </p>
      <ul className="capabilities">
        {capabilities.map((capability) => (
          <li key={capability} className="badge">
            {t(`capability.${capability}`)}
          </li>
        ))}
      </ul>
      {revoked_at_ms !== undefined ? null : (
        <div className="card-actions">
          <ActionButton onPress={() => setAsked('rotate')}>{t('operators.rotate')}</ActionButton>
          <ActionButton kind="danger" onPress={() => setAsked('revoke')}>
            {t('operators.revoke')}
          </ActionButton>
        </div>
      )}
      {asked === undefined ? null : (
        <ConfirmDialog
          operator={operator}
          what={asked}
          onClose={() => setAsked(undefined)}
          onNewToken={onNewToken}
          onChanged={onChanged}
        />
      )}
    </article>
  );
}

interface ConfirmDialogProps extends OperatorCardProps {
  what: 'revoke' | 'rotate';
  onClose: () => void;
}

function ConfirmDialog({ operator, what, onClose, onNewToken, onChanged }: ConfirmDialogProps) {
  const { t, tf } = useMessages();
  const revoking = useCommand('nexo/admin/operators/revoke');
  const rotating = useCommand('nexo/admin/operators/rotate');
  const { token_hash, name } = operator;
  const failure = revoking.failure ?? rotating.failure;
  const confirm = async () => {
    if (what === 'revoke') {
      if ((await revoking.run({ token_hash })) === undefined) return;
      onChanged();
    } else {
      const result = await rotating.run({ token_hash });
      if (result === undefined) return;
      onNewToken({ name: result.operator.name, token: result.token });
    }
    onClose();
  };
  return (
    <DialogBox title={t(`operators.${what}`)} role="alertdialog" isOpen onClose={onClose}>
      <p>{t(`operators.${what}Consequence`, { name })}</p>
      {failure === undefined ? null : (
        <Notice kind="failure" isNews>
          {tf(failure)}
        </Notice>
      )}
      <div className="dialog-actions">
        <ActionButton onPress={onClose} autoFocus>
          {t('action.cancel')}
        </ActionButton>
        <ActionButton kind="danger" onPress={() => void confirm()} isRunning={revoking.isRunning || rotating.isRunning}>
          {t(`operators.${what}`)}
        </ActionButton>
      </div>
    </DialogBox>
  );
}
