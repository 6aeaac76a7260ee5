/** Characters that turn the direction of what follows, or cannot be seen at all. */
const INVISIBLE =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g;

/** An id or a name on one line, in which nothing can hide: invisible characters are written as `\u202E`. */
export function plainName(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);
}

/** A body on one line, without what could reorder the line around it. */
export function onOneLine(text: string): string {
  return text.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();
}

/** What is shown of a long text at first, cut between characters. */
export interface Clipped {
  shown: string;
  isCut: boolean;
}

export function clip(text: string, most: number): Clipped {
  if (text.length <= most) return { shown: text, isCut: false };
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(most - 1));
  return { shown: text.slice(0, splitsPair ? most - 1 : most), isCut: true };
}

/** An attachment as text, whatever it is: JSON, indented. */
export function attachmentText(attachment: unknown): string {
  return typeof attachment === 'string' ? attachment : JSON.stringify(attachment, undefined, 2);
}

/** The name that an attachment gives itself, if it gives one. */
export function attachmentName(attachment: unknown): string | undefined {
  if (typeof attachment !== 'object' || attachment === null) return undefined;
  const fields = attachment as Record<string, unknown>;
  const named = ['name', 'filename', 'file_name', 'title', 'type', 'mime_type', 'kind']
    .map((field) => fields[field])
    .find((value): value is string => typeof value === 'string' && value.trim() !== '');
  return named === undefined ? undefined : plainName(named);
}
