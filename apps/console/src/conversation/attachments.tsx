import { attachmentName, attachmentText, clip } from '../format/safe-text.js';
import { useMessages } from '../i18n/use-messages.js';

const MOST_CHARACTERS = 4_000;

/** Attachments by what they say of themselves. Nothing of them is loaded, opened or linked. */
export function Attachments({ attachments }: { attachments: readonly unknown[] | undefined }) {
  const { t } = useMessages();
  if (attachments === undefined || attachments.length === 0) return null;
  return (
    <ul className="attachments" aria-label={t('line.attachments')}>
      {attachments.map((attachment, index) => (
        <li key={index}>
          <details>
            <summary>
              {t('line.attachment')} <bdi>{attachmentName(attachment) ?? String(index + 1)}</bdi>
            </summary>
            <pre dir="ltr">{clip(attachmentText(attachment), MOST_CHARACTERS).shown}</pre>
          </details>
        </li>
      ))}
    </ul>
  );
}
