import { randomUUID } from 'node:crypto';

import { subjectBeforeMapping } from '#broker/partitions.js';
import { MAX_ID_BYTES } from '#contracts/limits.js';
import { agentTokenOf, decodeToken, quarantineSubject, SYSTEM_AGENT } from '#contracts/subjects.js';
import { utf8Length } from '#contracts/text.js';
import type { Turn } from '#contracts/turn.js';
import { bufferOne } from '#domain/conversation/buffer.js';
import { decideInbound } from '#domain/conversation/decide.js';
import type { NewEntry } from '#store/queries/append-entries.js';
import type { BufferedInbound } from '#store/queries/buffer-inbounds.js';
import type { EvictedRange } from '#store/queries/find-evicted-message-ids.js';
import type { StoredEvent } from '#store/queries/insert-events.js';
import { type NewOutboxRow, SYSTEM_ORDERING_KEY } from '#store/queries/insert-outbox.js';
import type { LockedForInbounds } from '#store/queries/lock-conversations.js';
import type { BufferMove } from '#store/queries/move-buffer-windows.js';
import type { ReceivedInbound } from '#store/queries/record-inbounds.js';

import type { AcceptedInbound, RefusedInbound } from './inbound-reader.js';
import { eventMessages, turnRow } from './outbox-messages.js';

/** A locked conversation as the batch moves it on. */
export interface OpenConversation {
  locked: LockedForInbounds;
  inbound: AcceptedInbound;
  sessionId: string;
  head: number;
  tail: number;
}

/** Collects what a batch writes, statement by statement. */
export class BatchWrites {
  readonly entries: NewEntry[] = [];
  readonly buffered: BufferedInbound[] = [];
  readonly received: ReceivedInbound[] = [];
  readonly events: StoredEvent[] = [];
  readonly outbox: NewOutboxRow[] = [];
  private readonly turns: Turn[] = [];

  constructor(
    private readonly conversations: ReadonlyMap<string, OpenConversation>,
    private readonly pendingQueueCap: number,
    private readonly nowMs: number,
  ) {}

  /** An inbound that was not received before, in the order of the stream. */
  add(accepted: AcceptedInbound, arrival: number): void {
    const conversation = this.conversations.get(accepted.conversationId) as OpenConversation;
    if (accepted.sessionId !== undefined) conversation.sessionId = accepted.sessionId;
    const { inbound, scope, conversationId, inboundId } = accepted;
    const attachments = inbound.attachments === undefined ? null : JSON.stringify(inbound.attachments);
    const messageId = inbound.message_id ?? null;
    if (decideInbound(conversation.locked.paused ? 'paused_by_operator' : 'agent_active') === 'buffer') {
      const { placed, next } = bufferOne(conversation, this.pendingQueueCap);
      Object.assign(conversation, next);
      this.buffered.push({
        conversationId,
        position: placed.position,
        inboundId,
        arrival,
        takenBack: false,
        sessionId: accepted.sessionId ?? null,
        entrySeq: null,
        messageId,
        fromContactId: inbound.from_contact_id,
        body: inbound.body,
        timestampMs: inbound.timestamp_ms,
        sourcePlugin: inbound.source_plugin,
        attachments,
        evictsBelow: placed.evictsBelow,
        bufferedAtMs: this.nowMs,
      });
      this.received.push({ inboundId, conversationId, arrival, sessionId: null, entrySeq: null });
      return;
    }
    const { sessionId } = conversation;
    this.entries.push({
      sessionId,
      agentId: scope.agent_id,
      conversationId,
      arrival,
      eventId: randomUUID(),
      role: 'user',
      body: inbound.body,
      sentAtMs: inbound.timestamp_ms,
      senderId: inbound.from_contact_id,
      sourcePlugin: inbound.source_plugin,
      messageId,
      attachments,
      replayed: false,
    });
    this.turns.push({
      kind: 'turn',
      turn_id: inboundId,
      agent_id: scope.agent_id,
      scope,
      session_id: sessionId,
      epoch: conversation.locked.epoch,
      cause: 'inbound',
      inbounds: [inbound],
    });
  }

  windowMoves(): BufferMove[] {
    return [...this.conversations]
      .filter(([, { locked, tail }]) => tail !== locked.bufferTail)
      .map(([conversationId, { locked, head, tail }]) => ({
        conversationId,
        head,
        tail,
        evicted: head - locked.bufferHead,
      }));
  }

  newSessions(): { conversationId: string; sessionId: string }[] {
    return [...this.conversations]
      .filter(([, { locked, sessionId }]) => sessionId !== locked.sessionId)
      .map(([conversationId, { sessionId }]) => ({ conversationId, sessionId }));
  }

  evictions(): EvictedRange[] {
    return [...this.conversations]
      .filter(([, { locked, head }]) => head !== locked.bufferHead)
      .map(([conversationId, { locked, head }]) => ({
        conversationId,
        fromPosition: locked.bufferHead,
        belowPosition: head,
      }));
  }

  /** Turns and events, now that the lines have their `seq`. */
  tell(seqs: number[], evictions: EvictedRange[], evictedIds: Map<string, string[]>, refused: RefusedInbound[]): void {
    this.entries.forEach((entry, index) => {
      const turn = this.turns[index] as Turn;
      const seq = seqs[index] as number;
      const { conversationId, arrival, sessionId } = entry;
      this.received.push({ inboundId: turn.turn_id, conversationId, arrival, sessionId, entrySeq: seq });
      this.outbox.push(turnRow(conversationId, turn, { stamped: { eventId: entry.eventId, seq } }));
    });
    for (const { conversationId, fromPosition, belowPosition } of evictions) {
      const { scope } = (this.conversations.get(conversationId) as OpenConversation).inbound;
      const messageIds = evictedIds.get(conversationId);
      this.emit(conversationId, {
        kind: 'pending_inbounds_dropped',
        agent_id: scope.agent_id,
        at_ms: this.nowMs,
        scope,
        dropped: belowPosition - fromPosition,
        ...(messageIds === undefined ? {} : { message_ids: messageIds }),
      });
    }
    for (const each of refused) this.quarantine(each);
  }

  private quarantine({ record, reason }: RefusedInbound): void {
    const subject = subjectBeforeMapping(record.subject);
    this.outbox.push({
      orderingKey: SYSTEM_ORDERING_KEY,
      kind: 'quarantine',
      subject: quarantineSubject(reason),
      msgId: `quarantine:${record.seq}:${record.receivedAtMs}`,
      payload: null,
      raw: record.data,
      headers: {
        'Holdline-Reason': reason,
        'Holdline-Subject': subject,
        'Holdline-Seq': String(record.seq),
      },
    });
    this.emit(SYSTEM_ORDERING_KEY, {
      kind: 'inbound_quarantined',
      agent_id: agentOf(subject),
      at_ms: this.nowMs,
      subject,
      reason,
      stream_seq: record.seq,
    });
  }

  private emit(orderingKey: string, event: Parameters<typeof eventMessages>[1]): void {
    const { stored, rows } = eventMessages(orderingKey, event);
    this.events.push(stored);
    this.outbox.push(...rows);
  }
}

/** The agent that a refused message's subject names, as far as an event can be published for it. */
function agentOf(subject: string): string {
  const agent = decodeToken(agentTokenOf(subject));
  return agent && utf8Length(agent) <= MAX_ID_BYTES ? agent : SYSTEM_AGENT;
}
