import type { TranscriptAppendedEvent } from '#contracts/agent-event.js';
import type { Entry } from '#contracts/entry.js';

/** A stamped line, with what the preview of a held conversation tells of it besides. */
export type Line = TranscriptAppendedEvent & Pick<Entry, 'attachments' | 'delivery'>;

/**
 * The lines with a new one at the end; the same lines when it is there already; undefined when some are missing before
 * it, so that they have to be read.
 */
export function appendLine(lines: readonly Line[], line: Line): readonly Line[] | undefined {
  const last = lines.at(-1)?.seq ?? -1;
  if (line.seq <= last) return lines;
  return line.seq === last + 1 ? [...lines, line] : undefined;
}
