import type { ReplyAction } from '#contracts/intervention-action.js';
import type { ConversationScope } from '#contracts/processing-scope.js';
import { conversationId } from '#domain/conversation/conversation-id.js';
import { outboundTextSha256 } from '#domain/outbound/hashes.js';
import type { OutboundCommand } from '#store/outbound.js';
import { findOutbound } from '#store/queries/find-outbound.js';
import { insertOutbound, type NewOutbound } from '#store/queries/insert-outbound.js';
import { lockConversation, type LockedConversation } from '#store/queries/lock-conversation.js';
import { type Transaction, withTransaction } from '#store/transaction.js';

import { deliver } from './deliver.js';
import { HAND_OVER_WITHIN_MS, type OutboundDependencies } from './outbound-dependencies.js';
import type { OutboundOutcome } from './outcome.js';

/** What the caller wants to have sent. */
export interface AdmittedOutbound {
  origin: 'operator' | 'agent' | 'system';
  action: ReplyAction;
  /** The operator's hash. */
  operator?: string;
  turnId?: string;
  /**
   * What arrived up to this number is answered by it: `own`, all that arrived before it; undefined, nothing.
   */
  answersArrival?: number | 'own';
  /** The line that it becomes once it was sent; without a session it becomes none. */
  line: { sessionId?: string; senderId?: string; sourcePlugin: string };
  idempotency?: { key: string; contentSha256: Buffer };
  /** Audited in the transaction that records the outcome, whatever that is. */
  command?: OutboundCommand;
}

/** What the caller's checks decide, in the transaction that holds the conversation. */
export type Admission<Stopped> =
  | { kind: 'send'; outbound: AdmittedOutbound }
  /** It is the same as this one, which was sent or is under way: the answer is the outcome of that. */
  | { kind: 'repeat'; outboundId: string }
  /** Nothing is sent; what the checks have written is kept. */
  | { kind: 'stopped'; result: Stopped };

export interface OutboundRequest<Stopped = never> {
  /**
   * The message's own id: another request with the same one sends nothing and answers the first outcome, unless that
   * was `unavailable`. It must be the same when a handler is run again.
   */
  outboundId: string;
  scope: ConversationScope;
  /** Throws, and nothing is kept; or decides. The conversation is undefined if Holdline has never seen it. */
  admit(tx: Transaction, conversation: LockedConversation | undefined): Promise<Admission<Stopped>>;
}

/**
 * The one way out to a channel. Commits the message, hands it to the channel while nobody can pause, waits for the
 * channel's answer outside of any transaction, and records the outcome; for `sent` it is stamped, for `sent` and
 * `unknown` it answers. Whatever happens in between, the channel is asked at most once.
 * @throws whatever `admit` throws; an error of the database, before the channel was asked
 */
export async function sendOutbound<Stopped = never>(
  deps: OutboundDependencies,
  { outboundId, scope, admit }: OutboundRequest<Stopped>,
): Promise<OutboundOutcome | { status: 'stopped'; result: Stopped }> {
  const id = conversationId(scope);
  const admission = await withTransaction(deps.dataSource, async (tx): Promise<Admission<Stopped>> => {
    const conversation = await lockConversation(tx, id);
    const known = await findOutbound(tx, outboundId);
    if (known !== undefined && known.status !== 'unavailable') return { kind: 'repeat', outboundId };
    const decided = await admit(tx, conversation);
    if (decided.kind !== 'send') return decided;
    if (conversation === undefined) throw new Error('a message was admitted for a conversation that does not exist');
    await insertOutbound(tx, newOutbound(outboundId, conversation, decided.outbound), HAND_OVER_WITHIN_MS);
    return decided;
  });
  if (admission.kind === 'stopped') return { status: 'stopped', result: admission.result };
  return deliver(deps, scope, admission.kind === 'repeat' ? admission.outboundId : outboundId);
}

function newOutbound(
  outboundId: string,
  conversation: LockedConversation,
  { origin, action, line, ...more }: AdmittedOutbound,
): NewOutbound {
  const arrival = conversation.firstArrival;
  const { channel, account_id: accountId, to: recipient, body } = action;
  return {
    outboundId,
    conversationId: conversation.conversationId,
    origin,
    operator: more.operator ?? null,
    turnId: more.turnId ?? null,
    epoch: conversation.state.epoch,
    arrival,
    answersArrival: more.answersArrival === 'own' ? arrival : (more.answersArrival ?? null),
    channel,
    accountId,
    recipient,
    body,
    msgKind: action.msg_kind,
    attachments: action.attachments === undefined ? null : JSON.stringify(action.attachments),
    replyToMsgId: action.reply_to_msg_id ?? null,
    textSha256: outboundTextSha256({ channel, accountId, recipient, body }),
    sessionId: line.sessionId ?? null,
    senderId: line.senderId ?? null,
    sourcePlugin: line.sourcePlugin,
    idempotencyKey: more.idempotency?.key ?? null,
    contentSha256: more.idempotency?.contentSha256 ?? null,
    command: more.command ?? null,
  };
}
