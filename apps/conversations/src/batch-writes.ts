import { subjectBeforeMapping } from '#broker/partitions.js';
import { MAX_ID_BYTES } from '#contracts/limits.js';
import { agentTokenOf, decodeToken, quarantineSubject, SYSTEM_AGENT } from '#contracts/subjects.js';
import { utf8Length } from '#contracts/text.js';
import type { Turn } from '#contracts/turn.js';
import { bufferOne } from '#domain/conversation/buffer.js';
import { decideInbound } from '#domain/conversation/decide.js';
import type { ActiveInbound } from '#store/queries/append-active-inbounds.js';
import type { BufferedInbound } from '#store/queries/buffer-inbounds.js';
import type { EvictedRange } from '#store/queries/find-evicted-message-ids.js';
import type { StoredEvent } from '#store/queries/insert-events.js';
import { type NewOutboxRow, SYSTEM_ORDERING_KEY } from '#store/queries/insert-outbox.js';
import type { LockedForInbounds } from '#store/queries/lock-conversations.js';
import type { BufferMove } from '#store/queries/move-buffer-windows.js';

import type { AcceptedInbound, RefusedInbound } from './inbound-reader.js';
import { eventMessages, messagesOfEvent } from './outbox-messages.js';
import type { ReadyReference } from './ready-messages.js';
import { lineMessage, turnMessage } from './stamped-turn.js';

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
  readonly active: ActiveInbound[] = [];
  readonly buffered: BufferedInbound[] = [];
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
      return;
    }
    const { sessionId } = conversation;
    this.active.push({
      inboundId,
      conversationId,
      arrival,
      sessionId,
      agentId: scope.agent_id,
      body: inbound.body,
      sentAtMs: inbound.timestamp_ms,
      senderId: inbound.from_contact_id,
      sourcePlugin: inbound.source_plugin,
      messageId,
      attachments,
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

  /** What the references in the outbox stand for, now that the active inbounds' lines have these numbers. */
  references(seqs: readonly number[]): ReadyReference[] {
    const turns = this.turns.map((turn, index) => {
      const stamped = { turn, seq: seqs[index] as number, eventId: turn.turn_id };
      return { id: turn.turn_id, messages: () => [turnMessage(stamped), lineMessage(stamped)] };
    });
    const events = this.events.map((event) => ({ id: event.eventId, messages: () => messagesOfEvent(event) }));
    return [...turns, ...events];
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

  /** What there is to tell beside the turns: evictions and quarantine. */
  tell(evictions: EvictedRange[], evictedIds: Map<string, string[]>, refused: RefusedInbound[]): void {
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
