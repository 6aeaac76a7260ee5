import type { Conversation } from '#contracts/conversations-list.js';

import { reasonOf } from '../api/rpc-failure.js';
import { useMessages } from '../i18n/use-messages.js';
import { type Holder, mayReply } from '../inbox/holder.js';
import { DraftCard } from './draft-card.js';
import { useDrafts } from './use-conversation.js';

export interface DraftsProps {
  conversationKey: string;
  conversation: Conversation;
  holder: Holder;
}

/** What the agent wrote too late, for the operator to send, change or throw away. */
export function Drafts({ conversationKey, conversation, holder }: DraftsProps) {
  const { t, tf } = useMessages();
  const { data, error } = useDrafts(conversationKey, conversation);
  if (error !== null && !NOT_FOR_ME.has(reasonOf(error))) return <p className="hint drafts-failure">{tf(error)}</p>;
  const open = (data?.drafts ?? []).filter(({ status }) => status === 'open');
  if (open.length === 0) return null;
  return (
    <section className="drafts" aria-label={t('drafts.title')}>
      <h3>{t('drafts.title')}</h3>
      {open.map((draft) => (
        <DraftCard
          key={draft.draft_id}
          draft={draft}
          conversationKey={conversationKey}
          conversation={conversation}
          isSendable={mayReply(holder)}
        />
      ))}
    </section>
  );
}

/** An operator who may not answer sees no drafts either. */
const NOT_FOR_ME: ReadonlySet<string> = new Set(['capability_not_granted', 'not_implemented']);
