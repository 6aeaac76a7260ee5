import { useMessages } from '../i18n/use-messages.js';
import { Notice } from '../ui/notice.js';
import { QueryState } from '../ui/query-state.js';
import { FigureChart } from './figure-chart.js';
import { FIGURES } from './figures.js';
import { useFigures, useReadiness } from './use-health.js';

/** Whether all is well, and the figures that matter as small charts. */
export function HealthPage() {
  const { t } = useMessages();
  const readiness = useReadiness();
  const figures = useFigures();
  const looks = figures.data ?? [];
  return (
    <section className="page">
      <h1>{t('nav.health')}</h1>
      {readiness.data === undefined ? (
        <QueryState query={readiness} what={t('health.checks')} />
      ) : (
        <>
          <Notice kind={readiness.data.ready ? 'info' : 'failure'} isNews>
            {readiness.data.ready ? t('health.ready') : t('health.notReady')}
          </Notice>
          <h2>{t('health.checks')}</h2>
          <dl className="checks">
            {Object.entries(readiness.data.checks).map(([name, result]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{result === true ? t('health.ok') : result}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <h2>{t('health.figures')}</h2>
      {figures.data === undefined ? <QueryState query={figures} what={t('health.figures')} /> : null}
      <ul className="figures">
        {FIGURES.filter(({ name }) => looks.at(-1)?.values[name] !== undefined).map((figure) => (
          <li key={figure.name}>
            <FigureChart figure={figure} looks={looks} />
          </li>
        ))}
      </ul>
    </section>
  );
}
