import { en, type MessageKey } from './messages/en.js';
import { es } from './messages/es.js';

export type { MessageKey } from './messages/en.js';

export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

export const MESSAGES: Record<Language, Record<MessageKey, string>> = { en, es };

/** What is put into a message for `{name}`. */
export type MessageValues = Readonly<Record<string, string | number>>;

/** Keys whose message depends on a number: `<name>.one` and `<name>.other`. */
export type CountedMessage = MessageKey extends infer Key ? (Key extends `${infer Name}.one` ? Name : never) : never;

export function translate(language: Language, key: MessageKey, values: MessageValues = {}): string {
  return MESSAGES[language][key].replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder,
  );
}

/** The message for a number, which is its `{count}`. */
export function translateCount(
  language: Language,
  name: CountedMessage,
  count: number,
  values: MessageValues = {},
): string {
  const rule = new Intl.PluralRules(language).select(count) === 'one' ? 'one' : 'other';
  const shown = new Intl.NumberFormat(language).format(count);
  return translate(language, `${name}.${rule}` as MessageKey, { count: shown, ...values });
}

/** The first of the browser's languages that there are messages in. */
export function preferredLanguage(browserLanguages: readonly string[]): Language {
  for (const tag of browserLanguages) {
    const known = LANGUAGES.find((language) => tag.toLowerCase().split('-')[0] === language);
    if (known !== undefined) return known;
  }
  return 'en';
}
