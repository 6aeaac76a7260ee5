import type { Entry } from '#contracts/entry.js';
import { MAX_TURN_BYTES } from '#contracts/limits.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { utf8Length } from '#contracts/text.js';
import type { TranscriptRange, Turn, TurnInbound } from '#contracts/turn.js';

/** Where a line stands in the transcripts. */
export interface TranscriptPlace {
  sessionId: string;
  seq: number;
}

export interface PlacedInbound extends TranscriptPlace {
  inbound: TurnInbound;
}

export interface PlacedEntry extends TranscriptPlace {
  entry: Entry;
}

/** What a resume turn is made of; inbounds and entries in order of arrival. */
export interface ResumeTurnParts {
  turnId: string;
  scope: ConversationScope;
  sessionId: string;
  epoch: number;
  inbounds: PlacedInbound[];
  entries: PlacedEntry[];
  /** Without its prefix, trimmed and redacted. */
  operatorSummary: string | undefined;
}

/** An upper bound of the JSON of one range, its comma included. */
const RANGE_BYTES = 128;

/**
 * The turn that hands a conversation back, at most `maxBytes` of JSON. Where it would be larger, the newest inbounds
 * that fit stay, then the newest entries that still fit, and `more` names ranges of the transcripts that hold all of
 * the rest: one range a session.
 */
export function resumeTurn(parts: ResumeTurnParts, maxBytes = MAX_TURN_BYTES): Turn {
  const envelope: Turn = {
    kind: 'turn',
    turn_id: parts.turnId,
    agent_id: parts.scope.agent_id,
    scope: parts.scope,
    session_id: parts.sessionId,
    epoch: parts.epoch,
    cause: 'resume',
    inbounds: [],
    entries: [],
    ...(parts.operatorSummary === undefined ? {} : { operator_summary: parts.operatorSummary }),
  };
  const sessions = new Set([...parts.inbounds, ...parts.entries].map((part) => part.sessionId));
  const ranges = `"more":[],`.length + sessions.size * RANGE_BYTES;
  const budget = maxBytes - utf8Length(JSON.stringify(envelope));

  const whole = newestWithin(parts.inbounds, (part) => part.inbound, budget);
  const wholeEntries = newestWithin(parts.entries, (part) => part.entry, budget - whole.bytes);
  if (whole.from === 0 && wholeEntries.from === 0) return filled(envelope, parts, 0, 0, undefined);

  const inbounds = newestWithin(parts.inbounds, (part) => part.inbound, budget - ranges);
  const entries = newestWithin(parts.entries, (part) => part.entry, budget - ranges - inbounds.bytes);
  const leftOut = [...parts.inbounds.slice(0, inbounds.from), ...parts.entries.slice(0, entries.from)];
  return filled(envelope, parts, inbounds.from, entries.from, rangesOf(leftOut));
}

function filled(
  envelope: Turn,
  parts: ResumeTurnParts,
  fromInbound: number,
  fromEntry: number,
  more: TranscriptRange[] | undefined,
): Turn {
  return {
    ...envelope,
    inbounds: parts.inbounds.slice(fromInbound).map((part) => part.inbound),
    entries: parts.entries.slice(fromEntry).map((part) => part.entry),
    ...(more === undefined ? {} : { more }),
  };
}

/** The first index of the longest tail whose JSON, commas included, is at most `budget` bytes. */
function newestWithin<Part>(
  parts: Part[],
  json: (part: Part) => unknown,
  budget: number,
): { from: number; bytes: number } {
  let from = parts.length;
  let bytes = 0;
  while (from > 0) {
    const size = utf8Length(JSON.stringify(json(parts[from - 1] as Part))) + 1;
    if (bytes + size > budget) break;
    bytes += size;
    from -= 1;
  }
  return { from, bytes };
}

function rangesOf(places: TranscriptPlace[]): TranscriptRange[] {
  const ranges = new Map<string, TranscriptRange>();
  for (const { sessionId, seq } of places) {
    const range = ranges.get(sessionId);
    if (range === undefined) ranges.set(sessionId, { session_id: sessionId, from_seq: seq, to_seq: seq });
    else {
      range.from_seq = Math.min(range.from_seq, seq);
      range.to_seq = Math.max(range.to_seq, seq);
    }
  }
  return [...ranges.values()];
}
