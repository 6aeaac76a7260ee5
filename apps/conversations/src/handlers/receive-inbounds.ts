import { randomUUID } from 'node:crypto';

import type { StreamRecord } from '#broker/partition-consumer.js';
import { decodeToken, agentTokenOf, quarantineSubject, SYSTEM_AGENT } from '#contracts/subjects.js';
import type { Turn } from '#contracts/turn.js';
import { bufferOne } from '#domain/conversation/buffer.js';
import { decideInbound } from '#domain/conversation/decide.js';
import { appendEntries, type NewEntry } from '#store/queries/append-entries.js';
import { type BufferedInbound, bufferInbounds } from '#store/queries/buffer-inbounds.js';
import { findEvictedMessageIds } from '#store/queries/find-evicted-message-ids.js';
import { findKnownInbounds } from '#store/queries/find-known-inbounds.js';
import { insertEvents, type StoredEvent } from '#store/queries/insert-events.js';
import { insertOutbox, type NewOutboxRow, SYSTEM_ORDERING_KEY } from '#store/queries/insert-outbox.js';
import { type LockedForInbounds, lockConversations } from '#store/queries/lock-conversations.js';
import { moveBufferWindows } from '#store/queries/move-buffer-windows.js';
import { moveCursor, type PartitionLease } from '#store/queries/move-cursor.js';
import { type ReceivedInbound, recordInbounds } from '#store/queries/record-inbounds.js';
import { setSessions } from '#store/queries/set-sessions.js';
import { type Transaction, withTransaction } from '#store/transaction.js';

import type { Dependencies } from '../dependencies.js';
import {
  type AcceptedInbound,
  type QuarantineReason,
  readInbound,
  refuse,
  type RefusedInbound,
} from '../inbound-reader.js';
import { eventMessages, turnRow } from '../outbox-messages.js';

/** What became of a batch. */
export interface BatchOutcome {
  forwarded: number;
  buffered: number;
  evicted: number;
  duplicates: number;
  quarantined: number;
  /** Keys of the outbox that have rows to publish now. */
  orderingKeys: string[];
}

/**
 * Stores a batch of the inbound stream in one transaction, together with the cursor: each inbound becomes a line of
 * the transcript and a turn, or waits in the buffer of a paused conversation, or goes to quarantine; a copy of one
 * that was received before does nothing.
 * @param refuseAll quarantine the whole batch for this reason instead of reading it
 * @throws CursorNotMoved if this process is not the owner, or the batch is stored already
 */
export async function receiveInbounds(
  deps: Dependencies,
  lease: PartitionLease,
  records: StreamRecord[],
  refuseAll?: QuarantineReason,
): Promise<BatchOutcome> {
  const accepted = new Map<string, AcceptedInbound>();
  const refused: RefusedInbound[] = [];
  let copies = 0;
  for (const record of records) {
    const read = refuseAll === undefined ? readInbound(record, deps.redactor) : refuse(record, refuseAll);
    if (read.kind === 'refused') refused.push(read);
    else if (accepted.has(read.inboundId)) copies += 1;
    else accepted.set(read.inboundId, read);
  }
  const lastSeq = records.at(-1)?.seq;
  if (lastSeq === undefined) throw new RangeError('a batch holds at least one record');

  return withTransaction(deps.dataSource, async (tx) => {
    const batch = new Batch(deps);
    const { conversations, fresh, firstArrival } = await lockAndSift(tx, [...accepted.values()], deps.now());
    fresh.forEach((inbound, index) => {
      batch.add(inbound, conversations.get(inbound.conversationId) as OpenConversation, firstArrival + index);
    });
    const [seqs, , , , evictedIds] = await Promise.all([
      appendEntries(tx, batch.entries),
      bufferInbounds(tx, batch.buffered),
      moveBufferWindows(tx, batch.windowMoves(conversations)),
      setSessions(tx, batch.newSessions(conversations)),
      findEvictedMessageIds(tx, batch.evictions(conversations)),
    ]);
    batch.finish(seqs, conversations, evictedIds, refused);
    await Promise.all([
      recordInbounds(tx, batch.received),
      insertEvents(tx, batch.events),
      insertOutbox(tx, batch.outbox),
      moveCursor(tx, lease, lastSeq),
    ]);
    return {
      forwarded: batch.entries.length,
      buffered: batch.buffered.length,
      evicted: batch.evictions(conversations).reduce((sum, range) => sum + range.belowPosition - range.fromPosition, 0),
      duplicates: copies + accepted.size - fresh.length,
      quarantined: refused.length,
      orderingKeys: [...new Set(batch.outbox.map((row) => row.orderingKey))],
    };
  });
}

/** A locked conversation as the batch moves it on. */
interface OpenConversation {
  locked: LockedForInbounds;
  inbound: AcceptedInbound;
  sessionId: string;
  head: number;
  tail: number;
}

async function lockAndSift(
  tx: Transaction,
  accepted: AcceptedInbound[],
  activityMs: number,
): Promise<{ conversations: Map<string, OpenConversation>; fresh: AcceptedInbound[]; firstArrival: number }> {
  const first = new Map<string, AcceptedInbound>();
  for (const each of accepted) if (!first.has(each.conversationId)) first.set(each.conversationId, each);
  const toLock = [...first.values()]
    .sort((a, b) => (a.conversationId < b.conversationId ? -1 : 1))
    .map(({ conversationId, scope, sessionId }) => ({
      conversationId,
      agentId: scope.agent_id,
      channel: scope.channel,
      accountId: scope.account_id,
      contactId: scope.contact_id,
      mcpChannelSource: scope.mcp_channel_source ?? null,
      sessionId: sessionId ?? randomUUID(),
    }));
  const [locked, { known, firstArrival }] = await Promise.all([
    lockConversations(tx, toLock, activityMs),
    findKnownInbounds(
      tx,
      accepted.map((each) => each.inboundId),
    ),
  ]);
  const conversations = new Map<string, OpenConversation>();
  for (const row of locked) {
    conversations.set(row.conversationId, {
      locked: row,
      inbound: first.get(row.conversationId) as AcceptedInbound,
      sessionId: row.sessionId,
      head: row.bufferHead,
      tail: row.bufferTail,
    });
  }
  return { conversations, fresh: accepted.filter((each) => !known.has(each.inboundId)), firstArrival };
}

/** Collects what a batch writes, statement by statement. */
class Batch {
  readonly entries: NewEntry[] = [];
  readonly buffered: BufferedInbound[] = [];
  readonly received: ReceivedInbound[] = [];
  readonly events: StoredEvent[] = [];
  readonly outbox: NewOutboxRow[] = [];
  private readonly turns: Turn[] = [];
  private readonly nowMs: number;

  constructor(private readonly deps: Dependencies) {
    this.nowMs = deps.now();
  }

  add(accepted: AcceptedInbound, conversation: OpenConversation, arrival: number): void {
    if (accepted.sessionId !== undefined) conversation.sessionId = accepted.sessionId;
    const { inbound, scope, conversationId, inboundId } = accepted;
    const attachments = inbound.attachments === undefined ? null : JSON.stringify(inbound.attachments);
    const messageId = inbound.message_id ?? null;
    if (decideInbound(conversation.locked.paused ? 'paused_by_operator' : 'agent_active') === 'buffer') {
      const { placed, next } = bufferOne(conversation, this.deps.pendingQueueCap);
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

  windowMoves(conversations: Map<string, OpenConversation>) {
    return [...conversations]
      .filter(([, { locked, tail }]) => tail !== locked.bufferTail)
      .map(([conversationId, { locked, head, tail }]) => ({
        conversationId,
        head,
        tail,
        evicted: head - locked.bufferHead,
      }));
  }

  newSessions(conversations: Map<string, OpenConversation>) {
    return [...conversations]
      .filter(([, { locked, sessionId }]) => sessionId !== locked.sessionId)
      .map(([conversationId, { sessionId }]) => ({ conversationId, sessionId }));
  }

  evictions(conversations: Map<string, OpenConversation>) {
    return [...conversations]
      .filter(([, { locked, head }]) => head !== locked.bufferHead)
      .map(([conversationId, { locked, head }]) => ({
        conversationId,
        fromPosition: locked.bufferHead,
        belowPosition: head,
      }));
  }

  /** Turns and events, now that the lines have their `seq`. */
  finish(
    seqs: number[],
    conversations: Map<string, OpenConversation>,
    evictedIds: Map<string, string[]>,
    refused: RefusedInbound[],
  ): void {
    this.entries.forEach((entry, index) => {
      const turn = this.turns[index] as Turn;
      const seq = seqs[index] as number;
      const { conversationId, arrival, sessionId } = entry;
      this.received.push({ inboundId: turn.turn_id, conversationId, arrival, sessionId, entrySeq: seq });
      this.outbox.push(turnRow(conversationId, turn, { stamped: { eventId: entry.eventId, seq } }));
    });
    for (const { conversationId, fromPosition, belowPosition } of this.evictions(conversations)) {
      const { scope } = (conversations.get(conversationId) as OpenConversation).inbound;
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
    this.outbox.push({
      orderingKey: SYSTEM_ORDERING_KEY,
      kind: 'quarantine',
      subject: quarantineSubject(reason),
      msgId: `quarantine:${record.seq}:${record.receivedAtMs}`,
      payload: null,
      raw: record.data,
      headers: {
        'Holdline-Reason': reason,
        'Holdline-Subject': record.subject,
        'Holdline-Seq': String(record.seq),
      },
    });
    this.emit(SYSTEM_ORDERING_KEY, {
      kind: 'inbound_quarantined',
      agent_id: decodeToken(agentTokenOf(record.subject)) ?? SYSTEM_AGENT,
      at_ms: this.nowMs,
      subject: record.subject,
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
