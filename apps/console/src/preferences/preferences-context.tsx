import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';

import { preferredLanguage } from '../i18n/translate.js';
import { parsePreferences, type Preferences } from './preferences.js';

const STORAGE_KEY = 'holdline preferences';

interface PreferencesValue {
  preferences: Preferences;
  change: (changed: Partial<Preferences>) => void;
}

const PreferencesContext = createContext<PreferencesValue | undefined>(undefined);

export function PreferencesProvider({ children }: { children: ReactNode }) {
  const [preferences, setPreferences] = useState(() =>
    parsePreferences(localStorage.getItem(STORAGE_KEY), preferredLanguage(navigator.languages)),
  );
  useEffect(() => {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(preferences));
    document.documentElement.dataset['theme'] = preferences.theme;
    document.documentElement.lang = preferences.language;
  }, [preferences]);
  const value = useMemo(
    () => ({
      preferences,
      change: (changed: Partial<Preferences>) => setPreferences((before) => ({ ...before, ...changed })),
    }),
    [preferences],
  );
  return <PreferencesContext.Provider value={value}>{children}</PreferencesContext.Provider>;
}

export function usePreferences(): PreferencesValue {
  const value = useContext(PreferencesContext);
  if (value === undefined) throw new Error('Preferences are read outside their provider.');
  return value;
}
