import { useEffect } from 'react';

import { keyOfScope } from '../conversation-key.js';
import { onOneLine, plainName } from '../format/safe-text.js';
import { useMessages } from '../i18n/use-messages.js';
import { useLive } from '../live/live-context.js';
import { usePreferences } from '../preferences/preferences-context.js';
import { goTo } from '../shell/use-route.js';
import { newEscalations } from './announce.js';
import { playBell } from './bell.js';

/** Tells of new escalations by a notification or a sound, if the operator has asked for it. */
export function useEscalationBell(): void {
  const { feed } = useLive();
  const { notify, sound } = usePreferences().preferences;
  const { t } = useMessages();
  useEffect(() => {
    if (!notify && !sound) return undefined;
    return feed.listen((events) => {
      const escalations = newEscalations(events, Date.now());
      if (escalations.length > 0 && sound) playBell();
      if (!notify || Notification.permission !== 'granted') return;
      for (const { scope, summary, urgency, event_id } of escalations) {
        const conversation = keyOfScope(scope);
        const contact = 'contact_id' in scope ? scope.contact_id : scope.agent_id;
        const title = t('bell.title', { contact: plainName(contact), urgency: t(`urgency.${urgency}`) });
        const shown = new Notification(title, { body: onOneLine(summary), tag: event_id });
        shown.onclick = () => {
          globalThis.focus();
          goTo(conversation === undefined ? { place: 'escalations' } : { place: 'inbox', conversation });
        };
      }
    });
  }, [feed, notify, sound, t]);
}
