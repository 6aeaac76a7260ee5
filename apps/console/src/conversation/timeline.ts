import type { Entry } from '#contracts/entry.js';
import type { PendingInbound } from '#contracts/pending-inbound.js';
import type { EvictedInbound } from '#contracts/processing-pending.js';

import type { Line } from '../live/lines.js';

/** What the page shows of a conversation, from top to bottom. */
export type TimelineItem =
  | { kind: 'line'; id: string; entry: Entry }
  /** Waits for the hand-back. */
  | { kind: 'waiting'; id: string; inbound: PendingInbound }
  /** Was pushed out of the full buffer and is never handed back. */
  | { kind: 'evicted'; id: string; inbound: PendingInbound };

export interface TimelineParts {
  lines: readonly Line[];
  waiting: readonly PendingInbound[];
  evicted: readonly EvictedInbound[];
  /** Entries of the preview of a held conversation: they tell delivery and attachments, and lines that have no `seq`. */
  previewed: readonly Entry[];
  /** When the hold began; what waits comes after all that was said before. */
  pausedAtMs: number | undefined;
}

/**
 * Stamped lines keep their order, and so do buffered messages; these are put among the lines of the hold by their times,
 * as are an operator's lines that were sent but not stamped.
 */
export function timeline(parts: TimelineParts): TimelineItem[] {
  const lines = parts.lines.map((line) => lineItem(enriched(line, parts.previewed)));
  const unstamped = parts.previewed.filter(({ seq, role }) => seq === undefined && role === 'assistant').map(lineItem);
  const evicted = parts.evicted.map(({ inbound }, index): TimelineItem => ({
    kind: 'evicted',
    id: `evicted ${inbound.message_id ?? index}`,
    inbound,
  }));
  const waiting = parts.waiting.map((inbound, index): TimelineItem => ({
    kind: 'waiting',
    id: `waiting ${inbound.message_id ?? `${inbound.timestamp_ms} ${index}`}`,
    inbound,
  }));
  const held = parts.pausedAtMs ?? Number.POSITIVE_INFINITY;
  const firstOfHold = lines.findIndex((item) => timeOf(item) >= held);
  const before = firstOfHold === -1 ? lines : lines.slice(0, firstOfHold);
  const during = firstOfHold === -1 ? [] : lines.slice(firstOfHold);
  return [...before, ...interleave(interleave(during, unstamped), interleave(evicted, waiting))];
}

function enriched(line: Line, previewed: readonly Entry[]): Entry {
  const known = previewed.find(({ seq }) => seq !== undefined && seq === line.seq);
  if (known === undefined) return line;
  const { attachments, delivery } = known;
  return {
    ...line,
    ...(attachments === undefined ? {} : { attachments }),
    ...(delivery === undefined ? {} : { delivery }),
  };
}

function lineItem(entry: Entry): TimelineItem {
  const id = entry.seq === undefined ? `unstamped ${entry.message_id ?? entry.sent_at_ms}` : `line ${entry.seq}`;
  return { kind: 'line', id, entry };
}

export function timeOf(item: TimelineItem): number {
  return item.kind === 'line' ? item.entry.sent_at_ms : item.inbound.timestamp_ms;
}

/** Both in their own order; of the next ones always the earlier. */
function interleave(left: readonly TimelineItem[], right: readonly TimelineItem[]): TimelineItem[] {
  const merged: TimelineItem[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const a = left[l];
    const b = right[r];
    if (b === undefined || (a !== undefined && timeOf(a) <= timeOf(b))) {
      if (a !== undefined) merged.push(a);
      l += 1;
    } else {
      merged.push(b);
      r += 1;
    }
  }
  return merged;
}
