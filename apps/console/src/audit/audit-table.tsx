import type { AuditRow } from '#contracts/audit-list.js';

import { keyOfScope } from '../conversation-key.js';
import { plainName } from '../format/safe-text.js';
import { useMessages } from '../i18n/use-messages.js';
import { useOperatorNames } from '../operators/use-operator-names.js';
import { routeHash } from '../shell/routes.js';
import { Name } from '../ui/name.js';
import { Time } from '../ui/time.js';
import { shortMethod } from './audit-filter.js';

export function AuditTable({ rows }: { rows: readonly AuditRow[] }) {
  const { t } = useMessages();
  const nameOf = useOperatorNames();
  if (rows.length === 0) return <p className="nothing">{t('audit.none')}</p>;
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={t('nav.audit')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('audit.time')}</th>
            <th scope="col">{t('audit.operator')}</th>
            <th scope="col">{t('audit.method')}</th>
            <th scope="col">{t('audit.scope')}</th>
            <th scope="col">{t('audit.outcome')}</th>
            <th scope="col">{t('audit.correlation')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <Time ms={row.at_ms} as="full" />
              </td>
              <td>{plainName(nameOf(row.operator))}</td>
              <td>{shortMethod(row.method)}</td>
              <td>
                <ScopeLink scope={row.scope} />
              </td>
              <td>
                <span className={`badge badge-${row.outcome}`}>{t(`audit.outcome.${row.outcome}`)}</span>{' '}
                {row.outcome === 'ok' && !row.changed ? t('audit.unchanged') : (row.reason ?? '')}
              </td>
              <td>
                <code>{row.correlation_id}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ScopeLink({ scope }: { scope: AuditRow['scope'] }) {
  if (scope === undefined) return null;
  const key = keyOfScope(scope);
  const label = <Name>{'contact_id' in scope ? scope.contact_id : scope.kind}</Name>;
  return key === undefined ? label : <a href={routeHash({ place: 'inbox', conversation: key })}>{label}</a>;
}
