import type { ChannelAnswer, ChannelRequest } from '#broker/channel-requests.js';
import type { OutboundMessage } from '#contracts/outbound-message.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { channelSendSubject } from '#contracts/subjects.js';
import { conversationId } from '#domain/conversation/conversation-id.js';
import type { Outbound } from '#store/outbound.js';
import { handOverOutbound } from '#store/queries/hand-over-outbound.js';
import { lockOutbox } from '#store/queries/lock-outbox.js';
import { withTransaction } from '#store/transaction.js';

import { describeFailure } from '../commands/describe-failure.js';
import { type OutboundDependencies, SETTLE_WITHIN_MS } from './outbound-dependencies.js';

/** Locks that were confirmed longer ago may be lost: this process may have been stopped since. */
const LOCKED_FOR_SURE_MS = 1_000;

class LocksInDoubt extends Error {}

/** A channel was asked to send this message, and has answered or not. */
export interface HandedOver {
  outbound: Outbound;
  answer: ChannelAnswer;
}

/**
 * Asks the channel to send, within a transaction that holds the conversation's outbox: a pause takes that lock too, so
 * that what it finds there was handed over before its answer, or never will be. The answer is waited for afterwards.
 * @returns undefined if the message is not to be handed over, or not any more
 * @throws an error of the database, before the channel was asked
 */
export async function handOver(
  deps: OutboundDependencies,
  scope: ConversationScope,
  outboundId: string,
): Promise<HandedOver | undefined> {
  let asked: { outbound: Outbound; request: ChannelRequest } | undefined;
  try {
    await withTransaction(deps.dataSource, async (tx) => {
      await lockOutbox(tx, conversationId(scope));
      const askedAt = performance.now();
      const outbound = await handOverOutbound(tx, outboundId, deps.channels.timeoutMs + SETTLE_WITHIN_MS);
      if (outbound === undefined) return;
      const subject = channelSendSubject(outbound.channel, outbound.accountId);
      const payload = JSON.stringify(outboundMessage(outbound, scope));
      if (performance.now() - askedAt > LOCKED_FOR_SURE_MS) throw new LocksInDoubt();
      asked = { outbound, request: deps.channels.ask(subject, payload) };
      await asked.request.flushed;
    });
  } catch (error) {
    if (error instanceof LocksInDoubt) return handOver(deps, scope, outboundId);
    if (asked === undefined) throw error;
    const details = { outbound_id: outboundId, failure: describeFailure(error) };
    deps.logger.warn(details, 'a message was handed to its channel and that could not be recorded');
  }
  return asked && { outbound: asked.outbound, answer: await asked.request.answer };
}

function outboundMessage(outbound: Outbound, scope: ConversationScope): OutboundMessage {
  return {
    outbound_id: outbound.outboundId,
    scope,
    channel: outbound.channel,
    account_id: outbound.accountId,
    to: outbound.recipient,
    body: outbound.body,
    msg_kind: outbound.msgKind,
    ...(outbound.attachments === null ? {} : { attachments: JSON.parse(outbound.attachments) as unknown[] }),
    ...(outbound.replyToMsgId === null ? {} : { reply_to_msg_id: outbound.replyToMsgId }),
    origin: outbound.origin === 'operator' ? 'operator' : 'agent',
    epoch: outbound.epoch,
  };
}
