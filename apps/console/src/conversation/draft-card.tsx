import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import type { Conversation } from '#contracts/conversations-list.js';
import type { Draft } from '#contracts/draft.js';

import { useMessages } from '../i18n/use-messages.js';
import { queryKeys } from '../live/query-keys.js';
import { ActionButton } from '../ui/action-button.js';
import { TextBox } from '../ui/text-box.js';
import { Time } from '../ui/time.js';
import { useCommand } from '../ui/use-command.js';
import { Attachments } from './attachments.js';
import { BodyText } from './body-text.js';
import { SendFailure } from './send-failure.js';
import { useTruth } from './use-truth.js';

export interface DraftCardProps {
  draft: Draft;
  conversationKey: string;
  conversation: Conversation;
  isSendable: boolean;
}

export function DraftCard({ draft, conversationKey, conversation, isSendable }: DraftCardProps) {
  const { t } = useMessages();
  const cache = useQueryClient();
  const sending = useCommand('nexo/admin/drafts/send');
  const discarding = useCommand('nexo/admin/drafts/discard');
  const readTruth = useTruth(conversationKey, conversation);
  const [edited, setEdited] = useState<string | undefined>(undefined);
  const { draft_id, action, created_at_ms, reason } = draft;
  const { session_id } = conversation;
  const isBusy = sending.isRunning || discarding.isRunning;
  const failure = sending.failure ?? discarding.failure;

  const send = async () => {
    const session = session_id === undefined ? {} : { session_id };
    const body = edited === undefined || edited === action.body ? {} : { body: edited };
    await sending.run({ draft_id, ...session, ...body });
    void readTruth();
  };
  const discard = async () => {
    await discarding.run({ draft_id });
    void cache.invalidateQueries({ queryKey: queryKeys.drafts(conversationKey) });
  };
  return (
    <article className="draft">
      <p className="hint">
        {t(`drafts.reason.${reason}`)} <Time ms={created_at_ms} />
      </p>
      {edited === undefined ? (
        <BodyText text={action.body} />
      ) : (
        <TextBox label={t('drafts.edit')} rows={3} value={edited} onChange={setEdited} autoFocus />
      )}
      <Attachments attachments={action.attachments} />
      {failure === undefined ? null : <SendFailure failure={failure} />}
      <div className="draft-actions">
        <ActionButton kind="quiet" onPress={() => void discard()} isRunning={discarding.isRunning} isDisabled={isBusy}>
          {t('action.discard')}
        </ActionButton>
        {isSendable ? (
          <>
            {edited === undefined ? (
              <ActionButton onPress={() => setEdited(action.body)} isDisabled={isBusy}>
                {t('action.edit')}
              </ActionButton>
            ) : (
              <ActionButton onPress={() => setEdited(undefined)} isDisabled={isBusy}>
                {t('action.cancel')}
              </ActionButton>
            )}
            <ActionButton
              kind="primary"
              onPress={() => void send()}
              isRunning={sending.isRunning}
              isDisabled={isBusy || edited?.trim() === ''}
            >
              {t('action.sendDraft')}
            </ActionButton>
          </>
        ) : (
          <span className="hint">{t('drafts.holdFirst')}</span>
        )}
      </div>
    </article>
  );
}
