import { randomUUID } from 'node:crypto';

import { MAX_OPEN_INBOUNDS_IN_RESUME } from '#contracts/limits.js';
import type { PendingInbound } from '#contracts/pending-inbound.js';
import type { Turn } from '#contracts/turn.js';
import { resumeTurnId } from '#domain/conversation/conversation-id.js';
import type { ConversationState } from '#domain/conversation/decide.js';
import { type PlacedInbound, resumeTurn } from '#domain/conversation/resume-turn.js';
import { appendEntries, type NewEntry } from '#store/queries/append-entries.js';
import type { BufferedInbound } from '#store/queries/buffer-inbounds.js';
import { drainBuffer } from '#store/queries/drain-buffer.js';
import type { ShownInbound } from '#store/queries/find-pending.js';
import { findOpenInbounds, type OpenInbound } from '#store/queries/find-open-inbounds.js';
import { insertEvents } from '#store/queries/insert-events.js';
import { insertOutbox } from '#store/queries/insert-outbox.js';
import { insertResumeTurn } from '#store/queries/insert-resume-turn.js';
import type { LockedConversation } from '#store/queries/lock-conversation.js';
import { setInboundEntries } from '#store/queries/set-inbound-entries.js';
import { updateConversation } from '#store/queries/update-conversation.js';
import type { Transaction } from '#store/transaction.js';

import { scopeOf, stateChanged } from './control-state.js';
import type { Dependencies } from './dependencies.js';
import { eventRow, turnRow } from './outbox-messages.js';
import { saidSince } from './said-since.js';
import { transcriptAppended } from './transcript-appended.js';

export interface HandBack {
  /** The operator's hash, or `system`. */
  by: string;
  /** Where everything goes, and the conversation's session from now on. */
  sessionId: string | undefined;
  /** As the operator wrote it. */
  summary: string | undefined;
}

export interface HandedBack {
  /** Inbounds that waited, those that the pause had taken back included. */
  drained: number;
  /** Lines appended to the transcript. */
  stamped: number;
  /** The turn that the agent gets; undefined if nothing waited and no turn is open. */
  turn: Turn | undefined;
}

/** Does all that a resume does to a locked, paused conversation, in the caller's transaction. */
export async function handBack(
  tx: Transaction,
  deps: Dependencies,
  conversation: LockedConversation,
  next: ConversationState,
  { by, sessionId, summary }: HandBack,
): Promise<HandedBack> {
  const id = conversation.conversationId;
  const scope = scopeOf(conversation);
  const session = sessionId ?? conversation.sessionId;
  const drained = await drainBuffer(tx, id, conversation.bufferHead);
  const waiting = drained.filter((inbound) => !isAnsweredByAgent(inbound, conversation));
  const open = await openInbounds(tx, deps, conversation, drained);

  const toStamp = waiting.filter((inbound) => !inbound.takenBack);
  const lines = toStamp.map((inbound) => replayed(inbound, conversation, sessionId ?? inbound.sessionId ?? session));
  const operatorSummary = summary === undefined ? undefined : deps.redactor.redactText(summary.trim());
  if (operatorSummary !== undefined) lines.push(summaryLine(operatorSummary, conversation, session, by));
  const seqs = await appendEntries(tx, lines);
  const stampedAt = toStamp.map((inbound, index) => ({
    inboundId: inbound.inboundId,
    sessionId: (lines[index] as NewEntry).sessionId,
    entrySeq: seqs[index] as number,
  }));

  const places = new Map(stampedAt.map((each) => [each.inboundId, each]));
  const asked: AskedInbound[] = [
    ...open,
    ...waiting.map((inbound) => ({ ...inbound, ...(places.get(inbound.inboundId) ?? placeBefore(inbound)) })),
  ].sort((a, b) => a.arrival - b.arrival);
  const [first] = asked;
  const last = asked.at(-1);
  const since = Math.min(first?.arrival ?? Infinity, conversation.pausedArrival ?? Infinity);
  const [said] = await Promise.all([
    first === undefined ? [] : saidSince(tx, id, since),
    setInboundEntries(tx, stampedAt),
    updateConversation(tx, {
      conversationId: id,
      state: next,
      pausedArrival: null,
      resumedArrival: conversation.firstArrival,
      sessionId: session,
      bufferHead: conversation.bufferTail,
      bufferTail: conversation.bufferTail,
      takenBack: 0,
      nowMs: conversation.nowMs,
    }),
  ]);

  const changed = stateChanged(conversation, next, scope, by);
  const appended = lines.map((line, index) => eventRow(id, transcriptAppended(line, seqs[index] as number)));
  const events = [insertEvents(tx, [changed.stored]), insertOutbox(tx, [...changed.rows, ...appended])];
  if (last === undefined) {
    await Promise.all(events);
    return { drained: 0, stamped: lines.length, turn: undefined };
  }
  const turn = resumeTurn({
    turnId: resumeTurnId(id, next.epoch),
    scope,
    sessionId: session,
    epoch: next.epoch,
    inbounds: asked.map((inbound) => placedInbound(inbound, conversation.operatorAnsweredArrival)),
    entries: said,
    operatorSummary,
  });
  // Inbounds of open turns need not go back into the buffer if this turn does: they stay open.
  const inboundIds = waiting.map((inbound) => inbound.inboundId);
  await Promise.all([
    ...events,
    insertOutbox(tx, [turnRow(id, turn, inboundIds)]),
    insertResumeTurn(tx, {
      turnId: turn.turn_id,
      conversationId: id,
      epoch: next.epoch,
      lastArrival: last.arrival,
    }),
  ]);
  return { drained: waiting.length, stamped: lines.length, turn };
}

/** An inbound that the turn asks to answer, and the place of its line. */
type AskedInbound = ShownInbound & { arrival: number; sessionId: string; entrySeq: number };

/** Published, answered, and then taken back all the same, because the relay ended before it knew of the publish. */
function isAnsweredByAgent(inbound: BufferedInbound, { agentAnsweredArrival }: LockedConversation): boolean {
  return inbound.takenBack && inbound.arrival <= agentAnsweredArrival;
}

/** What the agent was asked and nobody has answered, without what was taken back and is drained now. */
async function openInbounds(
  tx: Transaction,
  { openTurns }: Dependencies,
  { conversationId, answeredArrival }: LockedConversation,
  drained: BufferedInbound[],
): Promise<OpenInbound[]> {
  if (!openTurns) return [];
  const stamped = new Set(drained.filter(({ takenBack }) => takenBack).map(({ arrival }) => arrival));
  const limit = MAX_OPEN_INBOUNDS_IN_RESUME + stamped.size;
  const found = await findOpenInbounds(tx, { conversationId, afterArrival: answeredArrival, limit });
  return found.filter(({ arrival }) => !stamped.has(arrival)).slice(-MAX_OPEN_INBOUNDS_IN_RESUME);
}

function placeBefore(inbound: BufferedInbound): { sessionId: string; entrySeq: number } {
  return { sessionId: inbound.sessionId as string, entrySeq: inbound.entrySeq as number };
}

function placedInbound(inbound: AskedInbound, operatorAnsweredArrival: number): PlacedInbound {
  const answered = inbound.arrival <= operatorAnsweredArrival;
  return {
    inbound: { ...pendingInbound(inbound), ...(answered ? { answered } : {}) },
    sessionId: inbound.sessionId,
    seq: inbound.entrySeq,
  };
}

function replayed(inbound: BufferedInbound, conversation: LockedConversation, sessionId: string): NewEntry {
  return {
    sessionId,
    agentId: conversation.agentId,
    conversationId: conversation.conversationId,
    arrival: inbound.arrival,
    eventId: randomUUID(),
    role: 'user',
    body: inbound.body,
    sentAtMs: inbound.timestampMs,
    senderId: inbound.fromContactId,
    sourcePlugin: inbound.sourcePlugin,
    messageId: inbound.messageId,
    attachments: inbound.attachments,
    replayed: true,
  };
}

function summaryLine(summary: string, conversation: LockedConversation, sessionId: string, by: string): NewEntry {
  return {
    sessionId,
    agentId: conversation.agentId,
    conversationId: conversation.conversationId,
    arrival: conversation.firstArrival,
    eventId: randomUUID(),
    role: 'system',
    body: `[operator_summary] ${summary}`,
    sentAtMs: conversation.nowMs,
    senderId: `operator:${by}`,
    sourcePlugin: 'intervention:summary',
    messageId: null,
    attachments: null,
    replayed: false,
  };
}

/** A buffered inbound as the wire shows it. */
export function pendingInbound(inbound: ShownInbound): PendingInbound {
  return {
    ...(inbound.messageId === null ? {} : { message_id: inbound.messageId }),
    from_contact_id: inbound.fromContactId,
    body: inbound.body,
    timestamp_ms: inbound.timestampMs,
    source_plugin: inbound.sourcePlugin,
    ...(inbound.attachments === null ? {} : { attachments: JSON.parse(inbound.attachments) as unknown[] }),
  };
}
