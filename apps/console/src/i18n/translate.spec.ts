import { ERROR_CODES } from '#contracts/errors.js';

import { RpcFailure } from '../api/rpc-failure.js';
import { failureMessage } from './failure-message.js';
import { LANGUAGES, MESSAGES, preferredLanguage, translate, translateCount } from './translate.js';

const placeholders = (message: string) => (message.match(/\{\w+\}/g) ?? []).sort();

describe('messages', () => {
  it.each(LANGUAGES)('are complete in %s, with the same values to fill in', (language) => {
    expect(Object.keys(MESSAGES[language]).sort()).toEqual(Object.keys(MESSAGES.en).sort());
    for (const [key, message] of Object.entries(MESSAGES.en)) {
      const translated = MESSAGES[language][key as keyof typeof MESSAGES.en];
      expect([key, translated.trim() === '', placeholders(translated)]).toEqual([key, false, placeholders(message)]);
    }
  });

  it('have both forms of everything that is counted', () => {
    const keys = Object.keys(MESSAGES.en);
    const counted = keys.filter((key) => key.endsWith('.one'));
    expect(counted.map((key) => key.replace(/one$/, 'other')).filter((key) => !keys.includes(key))).toEqual([]);
  });

  it('are filled with values, which are not filled themselves', () => {
    expect(translate('en', 'row.held', { name: '{name}' })).toBe('Held: {name}');
  });

  it('follow the number', () => {
    expect(translateCount('en', 'row.waiting', 1)).toBe('1 waits');
    expect(translateCount('es', 'row.waiting', 12_345)).toBe('12.345 esperan');
  });

  it('have a sentence for every word of the contract, and one for what is unknown', () => {
    const words = Object.keys(ERROR_CODES).filter((word) => word !== 'parse_error');
    for (const word of words) expect(failureMessage(new RpcFailure(word, ''))).toBe(`failure.${word}`);
    expect(failureMessage(new RpcFailure('toString', ''))).toBe('failure.internal');
    expect(failureMessage(new Error('x'))).toBe('failure.internal');
  });
});

describe('preferredLanguage', () => {
  it("is the first of the browser's that there is", () => {
    expect(preferredLanguage(['fr-FR', 'es-CO', 'en'])).toBe('es');
    expect(preferredLanguage(['fr'])).toBe('en');
  });
});
