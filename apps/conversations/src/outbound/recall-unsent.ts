import type { ReplyAction } from '#contracts/intervention-action.js';
import type { Outbound } from '#store/outbound.js';
import { recallOutbounds } from '#store/queries/recall-outbounds.js';
import type { Transaction } from '#store/transaction.js';

/** What the agent wanted to say and was not sent. */
export interface RecalledReply {
  outboundId: string;
  turnId: string;
  epoch: number;
  action: ReplyAction;
  createdAtMs: number;
}

/**
 * Calls back the replies of the agent that no channel was asked to send; from here on none will be. Whoever waits for
 * one of them is told `recalled`. The caller holds the conversation and its outbox, in this order.
 */
export async function recallUnsent(tx: Transaction, conversationId: string): Promise<RecalledReply[]> {
  const recalled = await recallOutbounds(tx, conversationId);
  return recalled.flatMap((outbound) => {
    const { outboundId, turnId, epoch, createdAtMs } = outbound;
    return turnId === null ? [] : [{ outboundId, turnId, epoch, action: actionOf(outbound), createdAtMs }];
  });
}

function actionOf(outbound: Outbound): ReplyAction {
  return {
    kind: 'reply',
    channel: outbound.channel,
    account_id: outbound.accountId,
    to: outbound.recipient,
    body: outbound.body,
    msg_kind: outbound.msgKind,
    ...(outbound.attachments === null ? {} : { attachments: JSON.parse(outbound.attachments) as unknown[] }),
    ...(outbound.replyToMsgId === null ? {} : { reply_to_msg_id: outbound.replyToMsgId }),
  };
}
