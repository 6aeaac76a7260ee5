import type { Inbox } from '../live/inbox.js';
import { useMessages } from '../i18n/use-messages.js';
import { type Place, routeHash } from './routes.js';

const GROUPS: readonly (readonly Place[])[] = [
  ['inbox', 'escalations', 'approvals'],
  ['audit', 'operators', 'people', 'health'],
];

export function Navigation({ place, inbox }: { place: Place; inbox: Inbox | undefined }) {
  const { t, tn } = useMessages();
  const escalated = inbox === undefined ? 0 : [...inbox.rows.values()].filter((row) => row.escalation).length;
  return (
    <nav className="navigation" aria-label={t('nav.label')}>
      {GROUPS.map((places) => (
        <ul key={places[0]}>
          {places.map((to) => (
            <li key={to}>
              <a href={routeHash({ place: to })} aria-current={to === place ? 'page' : undefined}>
                {t(`nav.${to}`)}
                {to === 'escalations' && escalated > 0 ? (
                  <span className="count" aria-label={tn('nav.escalatedCount', escalated)}>
                    {escalated}
                  </span>
                ) : null}
              </a>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
}
