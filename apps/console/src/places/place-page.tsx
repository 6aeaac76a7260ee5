import { useMessages } from '../i18n/use-messages.js';

/** A place that is kept for what comes with the tools. */
export function PlacePage({ place }: { place: 'approvals' | 'people' }) {
  const { t } = useMessages();
  return (
    <section className="page">
      <h1>{t(`nav.${place}`)}</h1>
      <p>{t(`place.${place}`)}</p>
    </section>
  );
}
