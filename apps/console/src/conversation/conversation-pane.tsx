import { useMemo, useRef, useState } from 'react';

import type { Conversation } from '#contracts/conversations-list.js';

import { HandBackDialog } from '../hand-back/hand-back-dialog.js';
import { useMessages } from '../i18n/use-messages.js';
import { holderOf, mayReply } from '../inbox/holder.js';
import { useShortcuts } from '../keyboard/use-shortcuts.js';
import { useOperator } from '../session/operator-context.js';
import { QueryState } from '../ui/query-state.js';
import { Composer } from './composer.js';
import { ConversationHeader } from './conversation-header.js';
import { Drafts } from './drafts.js';
import { HoldDialog } from './hold-dialog.js';
import { HoldNews } from './hold-news.js';
import { TakeOverDialog } from './take-over-dialog.js';
import { timeline } from './timeline.js';
import { type Quoted, TimelineView } from './timeline-view.js';
import { useBuffer, usePreview, useTranscript } from './use-conversation.js';
import { useHold } from './use-hold.js';

export interface ConversationPaneProps {
  conversationKey: string;
  conversation: Conversation | undefined;
  /** It may still turn up among pages that are being read. */
  isLooking: boolean;
}

export function ConversationPane({ conversationKey, conversation, isLooking }: ConversationPaneProps) {
  const { t } = useMessages();
  if (conversation !== undefined) return <Open conversationKey={conversationKey} conversation={conversation} />;
  return (
    <section className="pane pane-empty">
      <p role="status">
        {isLooking ? t('state.reading', { what: t('what.conversation') }) : t('conversation.unknown')}
      </p>
      <a href="#/inbox">{t('conversation.back')}</a>
    </section>
  );
}

type OpenDialog = 'hold' | 'takeOver' | 'handBack';

function Open({ conversationKey, conversation }: { conversationKey: string; conversation: Conversation }) {
  const { t } = useMessages();
  const { hash } = useOperator();
  const holder = holderOf(conversation, hash);
  const hold = useHold(conversationKey, conversation);
  const [dialog, setDialog] = useState<OpenDialog | undefined>(undefined);
  const [quoted, setQuoted] = useState<Quoted | undefined>(undefined);
  const composer = useRef<HTMLTextAreaElement & HTMLInputElement>(null);
  const transcript = useTranscript(conversation);
  const buffer = useBuffer(conversationKey, conversation).data;
  const preview = usePreview(conversationKey, conversation, '').data;
  const isHeld = holder.kind !== 'agent';
  const pausedAtMs = isHeld ? holder.since.paused_at_ms : undefined;
  const items = useMemo(
    () =>
      timeline({
        lines: transcript.data ?? [],
        waiting: isHeld ? (buffer?.inbounds ?? []) : [],
        evicted: isHeld ? (buffer?.evicted ?? []) : [],
        previewed: isHeld ? (preview?.turn?.entries ?? []) : [],
        pausedAtMs,
      }),
    [transcript.data, buffer, preview, isHeld, pausedAtMs],
  );
  const quote = (line: Quoted) => {
    setQuoted(line);
    composer.current?.focus();
  };
  const handBack = () => setDialog('handBack');
  const takeOver = () => setDialog('takeOver');
  useShortcuts({
    ...(isHeld ? { handBack } : { hold: () => void hold.run(), holdWithOptions: () => setDialog('hold') }),
    ...(isHeld && holder.kind !== 'me' ? { takeOver } : {}),
    reply: () => composer.current?.focus(),
  });
  const close = () => setDialog(undefined);

  return (
    <section className="pane" aria-label={t('conversation.label')}>
      <ConversationHeader
        conversation={conversation}
        isHolding={hold.isRunning}
        onHold={() => void hold.run()}
        onHoldWithOptions={() => setDialog('hold')}
        onTakeOver={takeOver}
        onHandBack={handBack}
      />
      <HoldNews hold={hold} onTakeOver={takeOver} />
      {conversation.session_id !== undefined && transcript.data === undefined ? (
        <QueryState query={transcript} what={t('what.transcript')} />
      ) : null}
      <TimelineView items={items} isReplyable={mayReply(holder)} onQuote={quote} />
      <Drafts conversationKey={conversationKey} conversation={conversation} holder={holder} />
      <Composer
        conversationKey={conversationKey}
        conversation={conversation}
        holder={holder}
        quoted={quoted}
        onUnquote={() => setQuoted(undefined)}
        inputRef={composer}
      />
      <HoldDialog isOpen={dialog === 'hold'} onClose={close} hold={hold} />
      {holder.kind === 'other' || holder.kind === 'outside' ? (
        <TakeOverDialog isOpen={dialog === 'takeOver'} onClose={close} hold={hold} holder={holder} />
      ) : null}
      {dialog === 'handBack' ? (
        <HandBackDialog conversationKey={conversationKey} conversation={conversation} onClose={close} />
      ) : null}
    </section>
  );
}
