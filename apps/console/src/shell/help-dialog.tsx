import { useMessages } from '../i18n/use-messages.js';
import { type Shortcut, SHORTCUTS } from '../keyboard/shortcuts.js';
import { DialogBox } from '../ui/dialog-box.js';

export function HelpDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useMessages();
  const rows: [string, string][] = [
    ...(Object.entries(SHORTCUTS) as [Shortcut, readonly string[]][]).map(([name, keys]): [string, string] => [
      keys.join(' '),
      t(`shortcut.${name}`),
    ]),
    ['⌘/Ctrl Enter', t('shortcut.send')],
  ];
  return (
    <DialogBox title={t('help.title')} isOpen={isOpen} onClose={onClose}>
      <dl className="shortcuts">
        {rows.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="hint">{t('help.off')}</p>
    </DialogBox>
  );
}
