import { useEffect, useRef } from 'react';

import { usePreferences } from '../preferences/preferences-context.js';
import { meaningOf, type Shortcut } from './shortcuts.js';

/** How long the first key of a sequence waits for its second. */
const SEQUENCE_MS = 1_200;

export type ShortcutActions = Partial<Record<Shortcut, () => void>>;

/** Has keys do something as long as the component is there. What has no action here is left to others. */
export function useShortcuts(actions: ShortcutActions): void {
  const { shortcuts } = usePreferences().preferences;
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    if (!shortcuts) return undefined;
    let prefix: { key: string; atMs: number } | undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const fresh = prefix !== undefined && event.timeStamp - prefix.atMs < SEQUENCE_MS ? prefix.key : undefined;
      const meaning = meaningOf(event, targetOf(event), fresh);
      prefix =
        meaning !== undefined && 'prefix' in meaning ? { key: meaning.prefix, atMs: event.timeStamp } : undefined;
      const action = meaning !== undefined && 'shortcut' in meaning ? latest.current[meaning.shortcut] : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [shortcuts]);
}

function targetOf({ target }: KeyboardEvent) {
  const element = target instanceof HTMLElement ? target : document.body;
  return {
    tag: element.tagName.toLowerCase(),
    isEditable: element.isContentEditable,
    inOverlay: document.querySelector('.overlay') !== null,
  };
}
