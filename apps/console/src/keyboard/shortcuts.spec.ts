import { type KeyPress, type KeyTarget, meaningOf } from './shortcuts.js';

const PAGE: KeyTarget = { tag: 'body', isEditable: false, inOverlay: false };

function press(key: string, more: Partial<KeyPress> = {}): KeyPress {
  return { key, ctrlKey: false, metaKey: false, altKey: false, repeat: false, isComposing: false, ...more };
}

describe('meaningOf', () => {
  it('knows single keys and sequences', () => {
    expect(meaningOf(press('j'), PAGE, undefined)).toEqual({ shortcut: 'next' });
    expect(meaningOf(press('g'), PAGE, undefined)).toEqual({ prefix: 'g' });
    expect(meaningOf(press('h'), PAGE, 'g')).toEqual({ shortcut: 'health' });
    expect(meaningOf(press('h'), PAGE, undefined)).toEqual({ shortcut: 'hold' });
    expect(meaningOf(press('x'), PAGE, 'g')).toBeUndefined();
  });

  it.each(['input', 'textarea', 'select'])('lets people write in %s; Escape leads out', (tag) => {
    expect(meaningOf(press('h'), { ...PAGE, tag }, undefined)).toBeUndefined();
    expect(meaningOf(press('Escape'), { ...PAGE, tag }, undefined)).toEqual({ shortcut: 'back' });
  });

  it('leaves keys to an open dialog, to the browser and to input methods', () => {
    expect(meaningOf(press('h'), { ...PAGE, inOverlay: true }, undefined)).toBeUndefined();
    expect(meaningOf(press('r', { ctrlKey: true }), PAGE, undefined)).toBeUndefined();
    expect(meaningOf(press('r', { metaKey: true }), PAGE, undefined)).toBeUndefined();
    expect(meaningOf(press('h', { isComposing: true }), PAGE, undefined)).toBeUndefined();
  });

  it('goes on through the list while a key is held down, and does nothing else twice', () => {
    expect(meaningOf(press('j', { repeat: true }), PAGE, undefined)).toEqual({ shortcut: 'next' });
    expect(meaningOf(press('h', { repeat: true }), PAGE, undefined)).toBeUndefined();
  });
});
