/** What a key does. */
export const SHORTCUTS = {
  next: ['j'],
  previous: ['k'],
  hold: ['h'],
  holdWithOptions: ['H'],
  takeOver: ['t'],
  handBack: ['b'],
  reply: ['r'],
  search: ['/'],
  help: ['?'],
  inbox: ['g', 'i'],
  escalations: ['g', 'e'],
  audit: ['g', 'a'],
  operators: ['g', 'o'],
  health: ['g', 'h'],
  back: ['Escape'],
} as const satisfies Record<string, readonly [string] | readonly [string, string]>;
export type Shortcut = keyof typeof SHORTCUTS;

/** What of a key press matters here. */
export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  repeat: boolean;
  isComposing: boolean;
}

/** The element that the key goes to. */
export interface KeyTarget {
  /** In lower case. */
  tag: string;
  isEditable: boolean;
  /** Whether a dialog or menu is open, which has keys of its own. */
  inOverlay: boolean;
}

/** The result of one key: what it means, or the first key of a sequence that waits for its second. */
export type KeyMeaning = { shortcut: Shortcut } | { prefix: string } | undefined;

/** What a key means after `prefix`, the key before it if that began a sequence. Keys that write text mean nothing. */
export function meaningOf(press: KeyPress, target: KeyTarget, prefix: string | undefined): KeyMeaning {
  if (press.ctrlKey || press.metaKey || press.altKey || press.isComposing || target.inOverlay) return undefined;
  if (press.repeat && press.key !== 'j' && press.key !== 'k') return undefined;
  if (isTyping(target)) return press.key === 'Escape' ? { shortcut: 'back' } : undefined;
  for (const [name, keys] of Object.entries(SHORTCUTS) as [Shortcut, readonly string[]][]) {
    if (keys.length === 1 && prefix === undefined && keys[0] === press.key) return { shortcut: name };
    if (keys.length === 2 && keys[0] === prefix && keys[1] === press.key) return { shortcut: name };
  }
  const begins = Object.values(SHORTCUTS).some((keys) => keys.length === 2 && keys[0] === press.key);
  return begins && prefix === undefined ? { prefix: press.key } : undefined;
}

function isTyping({ tag, isEditable }: KeyTarget): boolean {
  return isEditable || tag === 'input' || tag === 'textarea' || tag === 'select';
}
