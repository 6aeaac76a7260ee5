import type { Conversation } from '#contracts/conversations-list.js';

import { useMessages } from '../i18n/use-messages.js';
import { type Holder, holderOf } from '../inbox/holder.js';
import { useOperatorNames } from '../operators/use-operator-names.js';
import { useOperator } from '../session/operator-context.js';
import { ActionButton } from '../ui/action-button.js';
import { Name } from '../ui/name.js';
import { Time } from '../ui/time.js';

export interface ConversationHeaderProps {
  conversation: Conversation;
  isHolding: boolean;
  onHold: () => void;
  onHoldWithOptions: () => void;
  onTakeOver: () => void;
  onHandBack: () => void;
}

export function ConversationHeader(props: ConversationHeaderProps) {
  const { conversation, isHolding, onHold, onHoldWithOptions, onTakeOver, onHandBack } = props;
  const { t, tn } = useMessages();
  const { hash } = useOperator();
  const holder = holderOf(conversation, hash);
  const { scope, escalation, pending_depth, dropped_total } = conversation;
  return (
    <header className="pane-header">
      <a className="pane-back" href="#/inbox">
        {t('conversation.back')}
      </a>
      <div className="pane-who">
        <h2>
          <Name>{scope.contact_id}</Name>
        </h2>
        <p className="hint">
          {t('conversation.with')} <Name>{scope.agent_id}</Name> · <Name>{scope.channel}</Name> ·{' '}
          <Name>{scope.account_id}</Name>
        </p>
        <p className={`holder holder-${holder.kind}`} role="status">
          <HolderSentence holder={holder} />
        </p>
        <p className="badges">
          {escalation === undefined ? null : (
            <span className={`badge badge-${escalation.urgency}`}>
              {t('conversation.escalated', { reason: t(`escalationReason.${escalation.reason}`) })}
            </span>
          )}
          {pending_depth === 0 ? null : <span className="badge badge-waiting">{tn('row.waiting', pending_depth)}</span>}
          {dropped_total === 0 ? null : <span className="badge badge-dropped">{tn('row.dropped', dropped_total)}</span>}
        </p>
      </div>
      <div className="pane-actions">
        {holder.kind === 'agent' ? (
          <>
            <ActionButton kind="primary" onPress={onHold} isRunning={isHolding} shortcut="h">
              {t('action.hold')}
            </ActionButton>
            <ActionButton onPress={onHoldWithOptions} isDisabled={isHolding}>
              {t('action.holdWithOptions')}
            </ActionButton>
          </>
        ) : (
          <>
            {holder.kind === 'me' ? null : (
              <ActionButton kind="primary" onPress={onTakeOver} shortcut="t">
                {t('action.takeOverAsk')}
              </ActionButton>
            )}
            <ActionButton kind={holder.kind === 'me' ? 'primary' : 'plain'} onPress={onHandBack} shortcut="b">
              {t('action.handBackAsk')}
            </ActionButton>
          </>
        )}
      </div>
    </header>
  );
}

function HolderSentence({ holder }: { holder: Holder }) {
  const { t } = useMessages();
  const nameOf = useOperatorNames();
  if (holder.kind === 'agent') return t('holder.agent');
  const { operator_token_hash, paused_at_ms, reason, auto_resume_at_ms } = holder.since;
  const who = holder.kind === 'me' ? t('holder.me') : t('holder.other', { name: nameOf(operator_token_hash) });
  return (
    <>
      {who} <Time ms={paused_at_ms} />
      {auto_resume_at_ms === undefined ? null : (
        <>
          {' · '}
          {t('holder.untilAuto')} <Time ms={auto_resume_at_ms} />
        </>
      )}
      {reason === undefined ? null : (
        <>
          {' · '}
          <bdi>{reason === 'external_reply' ? t('holder.externalReply') : reason}</bdi>
        </>
      )}
    </>
  );
}
