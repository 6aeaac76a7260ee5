import { randomUUID } from 'node:crypto';

import type { Entry } from '#contracts/entry.js';
import type { PendingInbound } from '#contracts/pending-inbound.js';
import type { Turn } from '#contracts/turn.js';
import { resumeTurnId } from '#domain/conversation/conversation-id.js';
import type { ConversationState } from '#domain/conversation/decide.js';
import { resumeTurn } from '#domain/conversation/resume-turn.js';
import { appendEntries, type NewEntry } from '#store/queries/append-entries.js';
import type { BufferedInbound } from '#store/queries/buffer-inbounds.js';
import { drainBuffer } from '#store/queries/drain-buffer.js';
import type { ShownInbound } from '#store/queries/find-pending.js';
import { entriesSince, type StampedEntry } from '#store/queries/entries-since.js';
import { insertEvents } from '#store/queries/insert-events.js';
import { insertOutbox } from '#store/queries/insert-outbox.js';
import type { LockedConversation } from '#store/queries/lock-conversation.js';
import { setInboundEntries } from '#store/queries/set-inbound-entries.js';
import { updateConversation } from '#store/queries/update-conversation.js';
import type { Transaction } from '#store/transaction.js';

import { scopeOf, stateChanged } from './control-state.js';
import type { Dependencies } from './dependencies.js';
import { eventRow, turnRow } from './outbox-messages.js';
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
  /** The turn that the agent gets; undefined if nothing waited. */
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
  const waiting = await drainBuffer(tx, id, conversation.bufferHead);

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

  const since = Math.min(waiting[0]?.arrival ?? Infinity, conversation.pausedArrival ?? Infinity);
  const [said] = await Promise.all([
    waiting.length === 0 ? [] : entriesSince(tx, id, since),
    setInboundEntries(tx, stampedAt),
    updateConversation(tx, {
      conversationId: id,
      state: next,
      pausedArrival: null,
      sessionId: session,
      bufferHead: conversation.bufferTail,
      bufferTail: conversation.bufferTail,
      takenBack: 0,
      nowMs: conversation.nowMs,
    }),
  ]);

  const places = new Map(stampedAt.map((each) => [each.inboundId, each]));
  const turn =
    waiting.length === 0
      ? undefined
      : resumeTurn({
          turnId: resumeTurnId(id, next.epoch),
          scope,
          sessionId: session,
          epoch: next.epoch,
          inbounds: waiting.map((inbound) => {
            const place = places.get(inbound.inboundId) ?? inbound;
            return {
              inbound: pendingInbound(inbound),
              sessionId: place.sessionId as string,
              seq: place.entrySeq as number,
            };
          }),
          entries: said.map((line) => ({ entry: entryOf(line), sessionId: line.sessionId, seq: line.seq })),
          operatorSummary,
        });

  const changed = stateChanged(conversation, next, scope, by);
  const appended = lines.map((line, index) => eventRow(id, transcriptAppended(line, seqs[index] as number)));
  const inboundIds = waiting.map((inbound) => inbound.inboundId);
  await Promise.all([
    insertEvents(tx, [changed.stored]),
    insertOutbox(tx, [...changed.rows, ...appended, ...(turn === undefined ? [] : [turnRow(id, turn, inboundIds)])]),
  ]);
  return { drained: waiting.length, stamped: lines.length, turn };
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

function entryOf(line: StampedEntry): Entry {
  return {
    seq: line.seq,
    role: line.role,
    body: line.body,
    sent_at_ms: line.sentAtMs,
    ...(line.senderId === null ? {} : { sender_id: line.senderId }),
    source_plugin: line.sourcePlugin,
    ...(line.messageId === null ? {} : { message_id: line.messageId }),
    ...(line.attachments === null ? {} : { attachments: JSON.parse(line.attachments) as unknown[] }),
    ...(line.replayed ? { replayed: true as const } : {}),
  };
}
