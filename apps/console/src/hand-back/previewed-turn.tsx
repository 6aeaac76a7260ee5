import type { Entry } from '#contracts/entry.js';
import type { Turn } from '#contracts/turn.js';

import { Attachments } from '../conversation/attachments.js';
import { BodyText } from '../conversation/body-text.js';
import { speakerOf } from '../conversation/speaker.js';
import { useMessages } from '../i18n/use-messages.js';
import { useOperatorNames } from '../operators/use-operator-names.js';
import { Time } from '../ui/time.js';

/** A turn as the agent would get it: what it is asked to answer, what was said, and the summary. */
export function PreviewedTurn({ turn }: { turn: Turn | undefined }) {
  const { t } = useMessages();
  if (turn === undefined) return <p>{t('preview.nothing')}</p>;
  const { inbounds, entries = [], operator_summary, more = [] } = turn;
  return (
    <>
      <h4>{t('preview.inbounds')}</h4>
      {inbounds.length === 0 ? <p className="hint">{t('preview.noInbounds')}</p> : null}
      <ol className="preview-list">
        {inbounds.map(({ body, timestamp_ms, answered, attachments }, index) => (
          <li key={index} className={answered ? 'preview-answered' : undefined}>
            <p className="hint">
              <Time ms={timestamp_ms} /> · {t('preview.age')} <Time ms={timestamp_ms} as="age" />
              {answered ? <strong> · {t('preview.answered')}</strong> : null}
            </p>
            {body === '' ? null : <BodyText text={body} />}
            <Attachments attachments={attachments} />
          </li>
        ))}
      </ol>
      {entries.length === 0 ? null : (
        <>
          <h4>{t('preview.entries')}</h4>
          <ol className="preview-list">
            {entries.map((entry, index) => (
              <li key={index}>
                <p className="hint">
                  <strong>
                    <EntrySpeaker entry={entry} />
                  </strong>{' '}
                  <Time ms={entry.sent_at_ms} />
                </p>
                {entry.body === '' ? null : <BodyText text={entry.body} />}
              </li>
            ))}
          </ol>
        </>
      )}
      {more.length === 0 ? null : <p className="hint">{t('preview.more')}</p>}
      {operator_summary === undefined ? null : (
        <>
          <h4>{t('preview.summary')}</h4>
          <BodyText text={operator_summary} />
        </>
      )}
    </>
  );
}

function EntrySpeaker({ entry }: { entry: Entry }) {
  const { t } = useMessages();
  const nameOf = useOperatorNames();
  const speaker = speakerOf(entry);
  if (speaker.kind === 'contact') return t('role.user');
  if (speaker.kind === 'operator' || speaker.kind === 'summary')
    return t(`speaker.${speaker.kind}`, { name: nameOf(speaker.hash) });
  return t(`speaker.${speaker.kind}`);
}
