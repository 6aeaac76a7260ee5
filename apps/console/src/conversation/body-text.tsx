import { useState } from 'react';

import { clip } from '../format/safe-text.js';
import { useMessages } from '../i18n/use-messages.js';
import { ActionButton } from '../ui/action-button.js';

const SHOWN_AT_FIRST = 4_000;

/** What somebody wrote: text, whatever it looks like. A long one is cut until it is asked for. */
export function BodyText({ text }: { text: string }) {
  const { tn } = useMessages();
  const [isWhole, setWhole] = useState(false);
  const { shown, isCut } = clip(text, SHOWN_AT_FIRST);
  return (
    <>
      <p className="body" dir="auto">
        {isWhole ? text : shown}
        {isCut && !isWhole ? '…' : ''}
      </p>
      {isCut && !isWhole ? (
        <ActionButton kind="quiet" onPress={() => setWhole(true)}>
          {tn('line.showAll', text.length)}
        </ActionButton>
      ) : null}
    </>
  );
}
