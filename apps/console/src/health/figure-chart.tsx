import { useMessages } from '../i18n/use-messages.js';
import { type Figure, type Look, polyline, series } from './figures.js';

const WIDTH = 160;
const HEIGHT = 40;

export function FigureChart({ figure, looks }: { figure: Figure; looks: readonly Look[] }) {
  const { t, locale } = useMessages();
  const values = series(figure, looks);
  const last = values.at(-1);
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  return (
    <figure className="figure">
      <figcaption>{t(`figure.${figure.name}`)}</figcaption>
      <p className="figure-value">
        {last === undefined ? '–' : number.format(last)} <span className="hint">{t(`figure.unit.${figure.kind}`)}</span>
      </p>
      <svg viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline points={polyline(values, WIDTH, HEIGHT)} />
      </svg>
    </figure>
  );
}
