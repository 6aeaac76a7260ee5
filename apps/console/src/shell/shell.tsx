import { useState } from 'react';

import { AuditPage } from '../audit/audit-page.js';
import { useEscalationBell } from '../escalations/use-escalation-bell.js';
import { EscalationsPage } from '../escalations/escalations-page.js';
import { HealthPage } from '../health/health-page.js';
import { useMessages } from '../i18n/use-messages.js';
import { InboxPage } from '../inbox/inbox-page.js';
import { useHeldCounts, useInbox } from '../inbox/use-inbox.js';
import { useShortcuts } from '../keyboard/use-shortcuts.js';
import { OperatorsPage } from '../operators/operators-page.js';
import { PlacePage } from '../places/place-page.js';
import { PreferencesDialog } from '../preferences/preferences-dialog.js';
import { useOperator } from '../session/operator-context.js';
import { ActionButton } from '../ui/action-button.js';
import { HelpDialog } from './help-dialog.js';
import { LiveStatusMark } from './live-status.js';
import { Navigation } from './navigation.js';
import type { Route } from './routes.js';
import { goTo, useRoute } from './use-route.js';

/** The console's frame: what is always there, around the place where the operator is. */
export function Shell() {
  const route = useRoute();
  const { t } = useMessages();
  const { leave } = useOperator();
  const inbox = useInbox();
  const [open, setOpen] = useState<'help' | 'preferences' | undefined>(undefined);
  useHeldCounts(inbox.data);
  useEscalationBell();
  useShortcuts({
    help: () => setOpen('help'),
    inbox: () => goTo({ place: 'inbox' }),
    escalations: () => goTo({ place: 'escalations' }),
    audit: () => goTo({ place: 'audit' }),
    operators: () => goTo({ place: 'operators' }),
    health: () => goTo({ place: 'health' }),
  });
  const close = () => setOpen(undefined);

  return (
    <div className="shell" data-open={route.conversation === undefined ? 'list' : 'conversation'}>
      <header className="top">
        <a className="brand" href="#/inbox">
          Holdline
        </a>
        <LiveStatusMark />
        <div className="top-actions">
          <ActionButton kind="quiet" onPress={() => setOpen('help')} shortcut="?">
            {t('help.open')}
          </ActionButton>
          <ActionButton kind="quiet" onPress={() => setOpen('preferences')}>
            {t('preferences.title')}
          </ActionButton>
          <ActionButton kind="quiet" onPress={leave}>
            {t('logIn.leave')}
          </ActionButton>
        </div>
      </header>
      <Navigation place={route.place} inbox={inbox.data} />
      <main className="place" id="place">
        <PlaceContent route={route} />
      </main>
      <HelpDialog isOpen={open === 'help'} onClose={close} />
      <PreferencesDialog isOpen={open === 'preferences'} onClose={close} />
    </div>
  );
}

function PlaceContent({ route }: { route: Route }) {
  switch (route.place) {
    case 'inbox':
      return <InboxPage selected={route.conversation} />;
    case 'escalations':
      return <EscalationsPage />;
    case 'audit':
      return <AuditPage />;
    case 'operators':
      return <OperatorsPage />;
    case 'health':
      return <HealthPage />;
    case 'approvals':
    case 'people':
      return <PlacePage place={route.place} />;
  }
}
