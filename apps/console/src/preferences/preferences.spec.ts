import { parsePreferences } from './preferences.js';

describe('parsePreferences', () => {
  it('has defaults: quiet, with keys, like the system', () => {
    const defaults = { theme: 'system', language: 'es', shortcuts: true, notify: false, sound: false };
    for (const stored of [null, '{', '3', 'null', '{"theme":"pink","language":"xx","notify":"yes"}']) {
      expect(parsePreferences(stored, 'es')).toEqual(defaults);
    }
  });

  it('keeps what was chosen', () => {
    const chosen = { theme: 'dark', language: 'en', shortcuts: false, notify: true, sound: true } as const;
    expect(parsePreferences(JSON.stringify(chosen), 'es')).toEqual(chosen);
  });
});
