import { memo } from 'react';

import type { Entry } from '#contracts/entry.js';
import { OPERATOR_SUMMARY_PREFIX } from '#contracts/transcript-words.js';

import { useMessages } from '../i18n/use-messages.js';
import { useOperatorNames } from '../operators/use-operator-names.js';
import { ActionButton } from '../ui/action-button.js';
import { Name } from '../ui/name.js';
import { Time } from '../ui/time.js';
import { Attachments } from './attachments.js';
import { BodyText } from './body-text.js';
import { type Speaker, speakerOf } from './speaker.js';
import type { TimelineItem } from './timeline.js';
import type { Quoted } from './timeline-view.js';

export interface MessageProps {
  item: TimelineItem;
  isReplyable: boolean;
  onQuote: (quoted: Quoted) => void;
}

export const Message = memo(function Message({ item, isReplyable, onQuote }: MessageProps) {
  const { t } = useMessages();
  const entry = item.kind === 'line' ? item.entry : entryOf(item.inbound);
  const speaker = speakerOf(entry);
  const isSummary = speaker.kind === 'summary' && entry.body.startsWith(OPERATOR_SUMMARY_PREFIX);
  const body = isSummary ? entry.body.slice(OPERATOR_SUMMARY_PREFIX.length) : entry.body;
  const { message_id } = entry;
  return (
    <article className={`message message-${speaker.kind} message-${item.kind}`}>
      <header className="message-head">
        <span className="message-speaker">
          <SpeakerName speaker={speaker} sender={entry.sender_id} />
        </span>
        <Time ms={entry.sent_at_ms} />
        <Marks item={item} />
      </header>
      {body === '' ? null : <BodyText text={body} />}
      <Attachments attachments={entry.attachments} />
      {isReplyable && speaker.kind === 'contact' && message_id !== undefined ? (
        <ActionButton kind="quiet" onPress={() => onQuote({ messageId: message_id, body })}>
          {t('action.quote')}
        </ActionButton>
      ) : null}
    </article>
  );
});

function SpeakerName({ speaker, sender }: { speaker: Speaker; sender: string | undefined }) {
  const { t } = useMessages();
  const nameOf = useOperatorNames();
  switch (speaker.kind) {
    case 'contact':
      return sender === undefined ? t('role.user') : <Name>{sender}</Name>;
    case 'operator':
      return t('speaker.operator', { name: nameOf(speaker.hash) });
    case 'summary':
      return t('speaker.summary', { name: nameOf(speaker.hash) });
    case 'agent':
    case 'outside':
    case 'tool':
    case 'system':
      return t(`speaker.${speaker.kind}`);
  }
}

function Marks({ item }: { item: TimelineItem }) {
  const { t } = useMessages();
  if (item.kind !== 'line') return <span className={`mark mark-${item.kind}`}>{t(`line.${item.kind}`)}</span>;
  const { replayed, delivery, role } = item.entry;
  return (
    <>
      {replayed ? <span className="mark">{t('line.replayed')}</span> : null}
      {role !== 'assistant' || delivery === undefined ? null : (
        <span className={`mark mark-${delivery}`}>{t(`delivery.${delivery}`)}</span>
      )}
    </>
  );
}

function entryOf(inbound: (TimelineItem & { kind: 'waiting' | 'evicted' })['inbound']): Entry {
  const { from_contact_id, timestamp_ms, ...rest } = inbound;
  return { ...rest, role: 'user', sender_id: from_contact_id, sent_at_ms: timestamp_ms };
}
