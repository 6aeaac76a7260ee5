import { LANGUAGES, type Language } from '../i18n/translate.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** What an operator has chosen in this browser. */
export interface Preferences {
  theme: Theme;
  language: Language;
  /** Single keys do something. */
  shortcuts: boolean;
  /** A desktop notification on a new escalation. */
  notify: boolean;
  /** A sound on a new escalation. */
  sound: boolean;
}

/** What was stored, with the defaults for whatever is missing or not usable. */
export function parsePreferences(stored: string | null, language: Language): Preferences {
  const fields = parseObject(stored);
  return {
    theme: THEMES.find((theme) => theme === fields['theme']) ?? 'system',
    language: LANGUAGES.find((known) => known === fields['language']) ?? language,
    shortcuts: fields['shortcuts'] !== false,
    notify: fields['notify'] === true,
    sound: fields['sound'] === true,
  };
}

function parseObject(stored: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(stored ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
