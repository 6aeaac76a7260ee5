import { randomUUID } from 'node:crypto';

import { appendActiveInbounds } from '#store/queries/append-active-inbounds.js';
import { bufferInbounds } from '#store/queries/buffer-inbounds.js';
import { findEvictedMessageIds } from '#store/queries/find-evicted-message-ids.js';
import { findKnownInbounds } from '#store/queries/find-known-inbounds.js';
import { insertEvents } from '#store/queries/insert-events.js';
import { insertOutbox } from '#store/queries/insert-outbox.js';
import { lockConversations } from '#store/queries/lock-conversations.js';
import { moveBufferWindows } from '#store/queries/move-buffer-windows.js';
import { moveCursor, type PartitionLease } from '#store/queries/move-cursor.js';
import { recordInbounds } from '#store/queries/record-inbounds.js';
import { setSessions } from '#store/queries/set-sessions.js';
import { type Transaction, withTransaction } from '#store/transaction.js';

import { BatchWrites, type OpenConversation } from '../batch-writes.js';
import type { Dependencies } from '../dependencies.js';
import type { AcceptedInbound, ReadBatch } from '../inbound-reader.js';
import type { ReadyReference } from '../ready-messages.js';

/** What became of a batch. */
export interface BatchOutcome {
  forwarded: number;
  buffered: number;
  evicted: number;
  duplicates: number;
  quarantined: number;
  /** Keys of the outbox that have rows to publish now. */
  orderingKeys: string[];
  /** What the batch's rows there stand for. */
  references: ReadyReference[];
}

/**
 * Stores a batch of the inbound stream in one transaction, together with the cursor: each inbound becomes a line of
 * the transcript and a turn, or waits in the buffer of a paused conversation, or goes to quarantine; a copy of one
 * that was received before does nothing.
 * @throws CursorNotMoved if this process is not the owner, or the batch is stored already
 */
export function receiveInbounds(deps: Dependencies, lease: PartitionLease, batch: ReadBatch): Promise<BatchOutcome> {
  return withTransaction(deps.dataSource, async (tx) => {
    const { conversations, fresh, firstArrival } = await lockAndSift(tx, lease, batch, deps.now());
    const writes = new BatchWrites(conversations, deps.pendingQueueCap, deps.now());
    fresh.forEach((inbound, index) => writes.add(inbound, firstArrival + index));
    const evictions = writes.evictions();
    const [seqs, , evictedIds] = await Promise.all([
      appendActiveInbounds(tx, writes.active),
      bufferInbounds(tx, writes.buffered),
      findEvictedMessageIds(tx, evictions),
      recordInbounds(tx, writes.buffered),
      moveBufferWindows(tx, writes.windowMoves()),
      setSessions(tx, writes.newSessions()),
    ]);
    writes.tell(evictions, evictedIds, batch.refused);
    await Promise.all([insertEvents(tx, writes.events), insertOutbox(tx, writes.outbox)]);
    const keys = [...writes.active.map((each) => each.conversationId), ...writes.outbox.map((row) => row.orderingKey)];
    return {
      forwarded: writes.active.length,
      buffered: writes.buffered.length,
      evicted: evictions.reduce((sum, range) => sum + range.belowPosition - range.fromPosition, 0),
      duplicates: batch.copies + batch.accepted.length - fresh.length,
      quarantined: batch.refused.length,
      orderingKeys: [...new Set(keys)],
      references: writes.references(seqs),
    };
  });
}

/**
 * Locks the conversations of a batch and sorts out what was received before. The cursor comes first: while it is
 * locked no other process can become the owner, and a former owner gets no further.
 */
async function lockAndSift(
  tx: Transaction,
  lease: PartitionLease,
  { accepted, lastSeq }: ReadBatch,
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
  const [, locked, { known, firstArrival }] = await Promise.all([
    moveCursor(tx, lease, lastSeq),
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
