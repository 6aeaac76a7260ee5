import { type KeyboardEvent, type Ref, useRef, useState } from 'react';

import type { Conversation } from '#contracts/conversations-list.js';
import type { ReplyAction } from '#contracts/intervention-action.js';

import { reasonOf } from '../api/rpc-failure.js';
import { clip, onOneLine } from '../format/safe-text.js';
import { useMessages } from '../i18n/use-messages.js';
import { type Holder, mayReply } from '../inbox/holder.js';
import { useOperator } from '../session/operator-context.js';
import { ActionButton } from '../ui/action-button.js';
import { TextBox } from '../ui/text-box.js';
import { forgetText, keepText, keptText } from './kept-texts.js';
import { newId } from './new-id.js';
import { type SendKey, sendKey, settles } from './send-key.js';
import { SendFailure } from './send-failure.js';
import type { Quoted } from './timeline-view.js';
import { useTruth } from './use-truth.js';

const QUOTED_CHARACTERS = 120;

export interface ComposerProps {
  conversationKey: string;
  conversation: Conversation;
  holder: Holder;
  quoted: Quoted | undefined;
  onUnquote: () => void;
  inputRef: Ref<HTMLTextAreaElement & HTMLInputElement>;
}

/** Writes to the contact. What is written stays until it was sent, also while another conversation is open. */
export function Composer(props: ComposerProps) {
  const { conversationKey, conversation, holder, quoted, onUnquote, inputRef } = props;
  const { t } = useMessages();
  const [text, setText] = useState(() => keptText(conversationKey));
  const reply = useReply(conversationKey, conversation);

  if (!mayReply(holder))
    return (
      <p className="composer composer-closed">{t(`composer.closed.${holder.kind === 'agent' ? 'agent' : 'other'}`)}</p>
    );

  const write = (value: string) => {
    setText(value);
    keepText(conversationKey, value);
  };
  const send = async () => {
    if (text.trim() === '' || !(await reply.send(text, quoted))) return;
    forgetText(conversationKey);
    setText('');
    onUnquote();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void send();
  };
  return (
    <div className="composer">
      {reply.failure === undefined ? null : <SendFailure failure={reply.failure} />}
      {quoted === undefined ? null : (
        <p className="quoted">
          {t('composer.replyTo')} <bdi>{clip(onOneLine(quoted.body), QUOTED_CHARACTERS).shown}</bdi>
          <ActionButton kind="quiet" onPress={onUnquote} label={t('composer.unquote')}>
            ✕
          </ActionButton>
        </p>
      )}
      <TextBox
        label={t('composer.label')}
        placeholder={t('composer.placeholder')}
        hideLabel
        rows={3}
        value={text}
        onChange={write}
        onKeyDown={onKeyDown}
        inputRef={inputRef}
      />
      <div className="composer-actions">
        <span className="hint">{t('composer.keys')}</span>
        <ActionButton
          kind="primary"
          onPress={() => void send()}
          isRunning={reply.isRunning}
          isDisabled={text.trim() === ''}
        >
          {t('action.send')}
        </ActionButton>
      </div>
    </div>
  );
}

/** Sends a reply once, however often it is asked for. */
function useReply(conversationKey: string, conversation: Conversation) {
  const { client } = useOperator();
  const readTruth = useTruth(conversationKey, conversation);
  const lastKey = useRef<SendKey | undefined>(undefined);
  const running = useRef(false);
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  const { scope, session_id } = conversation;

  const send = async (body: string, quoted: Quoted | undefined): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    setRunning(true);
    setFailure(undefined);
    const to = { channel: scope.channel, account_id: scope.account_id, to: scope.contact_id };
    const answers = quoted === undefined ? {} : { reply_to_msg_id: quoted.messageId };
    const action: ReplyAction = { kind: 'reply', ...to, body, msg_kind: 'text', ...answers };
    lastKey.current = sendKey(lastKey.current, action, newId);
    const session = session_id === undefined ? {} : { session_id };
    try {
      const params = { scope, action, idempotency_key: lastKey.current.key, ...session };
      await client.call('nexo/admin/processing/intervention', params);
      lastKey.current = undefined;
      return true;
    } catch (error) {
      setFailure(error);
      if (settles(reasonOf(error))) lastKey.current = undefined;
      return false;
    } finally {
      running.current = false;
      setRunning(false);
      void readTruth();
    }
  };
  return { send, isRunning, failure };
}
