import { useMessages } from '../i18n/use-messages.js';
import { LANGUAGES } from '../i18n/translate.js';
import { Choice } from '../ui/choice.js';
import { DialogBox } from '../ui/dialog-box.js';
import { Toggle } from '../ui/toggle.js';
import { THEMES } from './preferences.js';
import { usePreferences } from './preferences-context.js';

/** What each language calls itself. */
const LANGUAGE_NAMES = { en: 'English', es: 'Español' } as const;

export function PreferencesDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useMessages();
  const { preferences, change } = usePreferences();
  const notify = async (wanted: boolean) => {
    const permission = wanted ? await Notification.requestPermission() : 'denied';
    change({ notify: permission === 'granted' });
  };
  return (
    <DialogBox title={t('preferences.title')} isOpen={isOpen} onClose={onClose}>
      <div className="stack">
        <Choice
          label={t('preferences.language')}
          value={preferences.language}
          options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
          onChange={(language) => change({ language })}
        />
        <Choice
          label={t('preferences.theme')}
          value={preferences.theme}
          options={THEMES.map((value) => ({ value, label: t(`theme.${value}`) }))}
          onChange={(theme) => change({ theme })}
        />
        {'Notification' in globalThis ? (
          <Toggle isSelected={preferences.notify} onChange={(wanted) => void notify(wanted)}>
            {t('preferences.notify')}
          </Toggle>
        ) : null}
        <Toggle isSelected={preferences.sound} onChange={(sound) => change({ sound })}>
          {t('preferences.sound')}
        </Toggle>
        <Toggle isSelected={preferences.shortcuts} onChange={(shortcuts) => change({ shortcuts })}>
          {t('preferences.shortcuts')}
        </Toggle>
      </div>
    </DialogBox>
  );
}
