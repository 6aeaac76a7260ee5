import { useMessages } from '../i18n/use-messages.js';
import { useLive } from '../live/live-context.js';
import { Time } from '../ui/time.js';

/** Whether what is shown follows what happens. */
export function LiveStatusMark() {
  const { status } = useLive();
  const { t } = useMessages();
  return (
    <p className={`live live-${status.kind}`} role="status">
      <span className="live-dot" aria-hidden="true" />
      {t(`live.${status.kind}`)}
      {status.kind === 'down' ? (
        <>
          {' '}
          <Time ms={status.sinceMs} />
        </>
      ) : null}
    </p>
  );
}
