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

export interface PlacedEntry {
  entry: Entry;
  /** Undefined for what was said and not stamped: no range of a transcript can bring it. */
  place: TranscriptPlace | undefined;
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
 * that fit stay, then the newest entries that still fit, those first that stand in no transcript, and `more` names ranges
 * of the transcripts that hold all of the rest: one range a session.
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
  const stamped = parts.entries.flatMap(({ entry, place }) => (place === undefined ? [] : [{ entry, ...place }]));
  const unstamped = parts.entries.filter(({ place }) => place === undefined);
  const sessions = new Set([...parts.inbounds, ...stamped].map((part) => part.sessionId));
  const ranges = `"more":[],`.length + sessions.size * RANGE_BYTES;
  const budget = maxBytes - utf8Length(JSON.stringify(envelope));

  const fit = (room: number) => {
    const inbounds = newestWithin(parts.inbounds, (part) => part.inbound, room);
    const beside = newestWithin(unstamped, (part) => part.entry, room - inbounds.bytes);
    const lines = newestWithin(stamped, (part) => part.entry, room - inbounds.bytes - beside.bytes);
    const left = [...parts.inbounds.slice(0, inbounds.from), ...stamped.slice(0, lines.from)];
    const leftEntries = new Set(
      [...unstamped.slice(0, beside.from), ...stamped.slice(0, lines.from)].map((e) => e.entry),
    );
    return { fromInbound: inbounds.from, left, leftEntries };
  };
  const whole = fit(budget);
  const { fromInbound, left, leftEntries } = whole.left.length === 0 ? whole : fit(budget - ranges);
  return {
    ...envelope,
    inbounds: parts.inbounds.slice(fromInbound).map((part) => part.inbound),
    entries: parts.entries.flatMap(({ entry }) => (leftEntries.has(entry) ? [] : [entry])),
    ...(left.length === 0 ? {} : { more: rangesOf(left) }),
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
