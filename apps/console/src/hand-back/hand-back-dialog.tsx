import { useState } from 'react';

import type { Conversation } from '#contracts/conversations-list.js';
import { MAX_SUMMARY_CHARACTERS } from '#contracts/limits.js';

import { useTruth } from '../conversation/use-truth.js';
import { usePreview } from '../conversation/use-conversation.js';
import { useMessages } from '../i18n/use-messages.js';
import { ActionButton } from '../ui/action-button.js';
import { DialogBox } from '../ui/dialog-box.js';
import { Notice } from '../ui/notice.js';
import { QueryState } from '../ui/query-state.js';
import { TextBox } from '../ui/text-box.js';
import { useCommand } from '../ui/use-command.js';
import { useNow } from '../ui/use-now.js';
import { useSettledValue } from '../ui/use-settled-value.js';
import { PreviewedTurn } from './previewed-turn.js';
import { countOldMessages, summaryLength } from './warnings.js';

const TYPING_MS = 400;

export interface HandBackDialogProps {
  conversationKey: string;
  conversation: Conversation;
  onClose: () => void;
}

/** Hands a conversation back, after showing exactly what the agent will be given. */
export function HandBackDialog({ conversationKey, conversation, onClose }: HandBackDialogProps) {
  const { t, tn, tf } = useMessages();
  const nowMs = useNow();
  const [summary, setSummary] = useState('');
  const { characters, isTooLong } = summaryLength(summary);
  const previewed = useSettledValue(isTooLong ? '' : summary, TYPING_MS);
  const preview = usePreview(conversationKey, conversation, previewed);
  const resuming = useCommand('nexo/admin/processing/resume');
  const readTruth = useTruth(conversationKey, conversation);
  const { scope, session_id, epoch } = conversation;
  // What is handed back is what the operator has seen, not what became of it since.
  const [seenEpoch] = useState(epoch);
  const hasChanged = epoch !== seenEpoch && !resuming.isRunning;
  const old = countOldMessages(preview.data?.turn, nowMs);

  const handBack = async () => {
    const told = summary.trim() === '' || session_id === undefined ? {} : { session_id, summary_for_agent: summary };
    const ack = await resuming.run({ scope, expected_epoch: seenEpoch, ...told });
    if (ack !== undefined) onClose();
    await readTruth(ack?.epoch);
  };

  return (
    <DialogBox title={t('handBack.title')} isOpen onClose={onClose} isWide>
      <div className="hand-back">
        <section className="hand-back-preview" aria-label={t('handBack.preview')}>
          <h3>{t('handBack.preview')}</h3>
          {preview.data === undefined ? (
            <QueryState query={preview} what={t('handBack.preview')} />
          ) : (
            <PreviewedTurn turn={preview.data.turn} />
          )}
        </section>
        <section className="hand-back-summary">
          {session_id === undefined ? (
            <p className="hint">{t('handBack.noSession')}</p>
          ) : (
            <TextBox
              label={t('handBack.summary')}
              rows={5}
              value={summary}
              onChange={setSummary}
              isInvalid={isTooLong}
              hint={t('handBack.counter', { characters, most: MAX_SUMMARY_CHARACTERS })}
            />
          )}
          {isTooLong ? (
            <Notice kind="failure" isNews>
              {t('failure.summary_too_long')}
            </Notice>
          ) : null}
          {old === 0 ? null : <Notice kind="warning">{tn('handBack.old', old)}</Notice>}
          {hasChanged && resuming.failure === undefined ? (
            <Notice kind="warning" isNews>
              {t('failure.stale_epoch')}
            </Notice>
          ) : null}
          {resuming.failure === undefined ? null : (
            <Notice kind="failure" isNews>
              {tf(resuming.failure)}
            </Notice>
          )}
        </section>
      </div>
      <div className="dialog-actions">
        <ActionButton onPress={onClose}>{t('action.cancel')}</ActionButton>
        <ActionButton
          kind="primary"
          onPress={() => void handBack()}
          isRunning={resuming.isRunning}
          isDisabled={isTooLong || hasChanged || preview.data === undefined}
        >
          {t('action.handBack')}
        </ActionButton>
      </div>
    </DialogBox>
  );
}
