import { useMemo } from 'react';

import { usePreferences } from '../preferences/preferences-context.js';
import { failureMessage } from './failure-message.js';
import {
  type CountedMessage,
  type Language,
  type MessageKey,
  type MessageValues,
  translate,
  translateCount,
} from './translate.js';

export interface Messages {
  language: Language;
  /** How the browser writes times and numbers in that language, such as `en-GB`. */
  locale: string;
  t: (key: MessageKey, values?: MessageValues) => string;
  /** For a number. */
  tn: (name: CountedMessage, count: number, values?: MessageValues) => string;
  /** The sentence for whatever was thrown. */
  tf: (error: unknown) => string;
}

export function useMessages(): Messages {
  const { language } = usePreferences().preferences;
  return useMemo(
    () => ({
      language,
      locale: navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language,
      t: (key, values) => translate(language, key, values),
      tn: (name, count, values) => translateCount(language, name, count, values),
      tf: (error) => translate(language, failureMessage(error)),
    }),
    [language],
  );
}
