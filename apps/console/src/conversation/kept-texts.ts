const texts = new Map<string, string>();

/** What was begun to be written in a conversation; lost with the page, because it may be confidential. */
export function keptText(key: string): string {
  return texts.get(key) ?? '';
}

export function keepText(key: string, text: string): void {
  texts.set(key, text);
}

export function forgetText(key: string): void {
  texts.delete(key);
}
