import type { ChannelStatus } from '#contracts/channel-status.js';
import { saysMore } from '#domain/outbound/delivery.js';
import type { Outbound } from '#store/outbound.js';
import { findOutbound, lockOutbound } from '#store/queries/find-outbound.js';
import { insertEvents } from '#store/queries/insert-events.js';
import { insertOutbox } from '#store/queries/insert-outbox.js';
import { lockConversation, type LockedConversation } from '#store/queries/lock-conversation.js';
import { setDelivery } from '#store/queries/set-delivery.js';
import { setEntryDelivery } from '#store/queries/set-entry-delivery.js';
import { readOnce } from '#store/read.js';
import { type Transaction, withTransaction } from '#store/transaction.js';

import type { ChannelAccount } from '../channel-reports.js';
import { scopeOf } from '../control-state.js';
import type { Dependencies } from '../dependencies.js';
import { eventMessages } from '../outbox-messages.js';
import { inBrief } from '../outbound/read-answer.js';

/** `unknown`: of no message that this account was asked to send. `nothing_new`: late, or said before. */
export type StatusOutcome = 'recorded' | 'nothing_new' | 'unknown' | 'was_not_sent';

/** Keeps what a channel reports of a message that it took; the first report that it failed raises an event. */
export async function receiveStatus(
  deps: Dependencies,
  account: ChannelAccount,
  status: ChannelStatus,
): Promise<StatusOutcome> {
  const outboundId = status.outbound_id;
  const known = await readOnce(deps.dataSource, (reader) => findOutbound(reader, outboundId));
  if (known?.channel !== account.channel || known.accountId !== account.account_id) return 'unknown';

  const outcome = await withTransaction(deps.dataSource, async (tx): Promise<StatusOutcome> => {
    const conversation = await lockConversation(tx, known.conversationId);
    const outbound = await lockOutbound(tx, outboundId);
    if (conversation === undefined || outbound === undefined) return 'unknown';
    if (['rejected', 'unavailable', 'recalled'].includes(outbound.status)) return 'was_not_sent';
    if (!saysMore(outbound.delivery, status.status)) return 'nothing_new';
    await record(tx, deps, conversation, outbound, status);
    return 'recorded';
  });
  if (outcome === 'recorded') deps.relay.nudge([known.conversationId]);
  return outcome;
}

async function record(
  tx: Transaction,
  deps: Dependencies,
  conversation: LockedConversation,
  outbound: Outbound,
  { status: delivery, detail: words, at_ms: atMs }: ChannelStatus,
): Promise<void> {
  const { outboundId, sessionId, entrySeq } = outbound;
  const detail = words === undefined ? null : deps.redactor.redactText(inBrief(words));
  await setDelivery(tx, outboundId, { delivery, detail, atMs });
  if (sessionId !== null && entrySeq !== null) {
    await setEntryDelivery(tx, { sessionId, agentId: conversation.agentId, seq: entrySeq }, delivery);
  }
  if (delivery !== 'failed') return;
  const failed = eventMessages(conversation.conversationId, {
    kind: 'outbound_failed',
    agent_id: conversation.agentId,
    at_ms: conversation.nowMs,
    scope: scopeOf(conversation),
    outbound_id: outboundId,
    origin: outbound.origin === 'agent' || outbound.origin === 'system' ? 'agent' : 'operator',
    reason: 'failed',
    ...(detail === null ? {} : { detail }),
  });
  await insertEvents(tx, [failed.stored]);
  await insertOutbox(tx, failed.rows);
}
