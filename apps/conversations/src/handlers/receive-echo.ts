import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { ChannelEcho } from '#contracts/channel-echo.js';
import { OWN_ECHO_WINDOW_MS } from '#contracts/limits.js';
import { externalReplyId } from '#domain/conversation/conversation-id.js';
import { decide, EXTERNAL_OPERATOR } from '#domain/conversation/decide.js';
import { contentSha256, outboundTextSha256 } from '#domain/outbound/hashes.js';
import { findConversationsOfContact } from '#store/queries/find-conversations-of-contact.js';
import { findOutbound, lockOutbound } from '#store/queries/find-outbound.js';
import { insertAuditRow } from '#store/queries/insert-audit-row.js';
import { insertOutbound } from '#store/queries/insert-outbound.js';
import { lockConversation, type LockedConversation } from '#store/queries/lock-conversation.js';
import { matchEcho } from '#store/queries/match-echo.js';
import { readOnce } from '#store/read.js';
import { type Transaction, withTransaction } from '#store/transaction.js';

import type { ChannelAccount } from '../channel-reports.js';
import { scopeOf } from '../control-state.js';
import type { Dependencies } from '../dependencies.js';
import { HAND_OVER_WITHIN_MS, SETTLE_WITHIN_MS } from '../outbound/outbound-dependencies.js';
import { recordOutcome } from '../outbound/settle.js';
import { hold } from './pause.js';

const PAUSE_REASON = 'external_reply';
const ASK_AGAIN_MS = 50;

/** `ours`: Holdline sent it. `stamped`: somebody answered beside Holdline. `copy`: and that was known already. */
export type EchoOutcome = 'ours' | 'stamped' | 'copy' | 'no_conversation';

/**
 * Takes what a channel saw leave its account. What Holdline did not send is an operator's answer from elsewhere: it
 * becomes a line of every conversation with that contact, and puts its agent on hold.
 */
export async function receiveEcho(
  deps: Dependencies,
  account: ChannelAccount,
  echo: ChannelEcho,
  signal: AbortSignal,
): Promise<EchoOutcome> {
  if (await isOurs(deps, account, echo, signal)) return 'ours';
  const { channel, account_id: accountId } = account;
  const ids = await readOnce(deps.dataSource, (reader) =>
    findConversationsOfContact(reader, { channel, accountId, contactId: echo.to }),
  );
  let stamped = false;
  for (const id of ids) {
    const isNew = await withTransaction(deps.dataSource, async (tx) => {
      const conversation = await lockConversation(tx, id);
      return conversation !== undefined && (await receive(tx, deps, conversation, echo));
    });
    if (!isNew) continue;
    stamped = true;
    deps.relay.nudge([id]);
  }
  if (stamped) return 'stamped';
  return ids.length === 0 ? 'no_conversation' : 'copy';
}

/** While a message to this contact has no answer yet, the channel's id of it is not known: its echo may be this one. */
async function isOurs(
  deps: Dependencies,
  { channel, account_id: accountId }: ChannelAccount,
  { to: recipient, body, outbound_id, outbound_message_id }: ChannelEcho,
  signal: AbortSignal,
): Promise<boolean> {
  const seen = {
    channel,
    accountId,
    recipient,
    outboundId: outbound_id ?? null,
    outboundMessageId: outbound_message_id ?? null,
    textSha256: outboundTextSha256({ channel, accountId, recipient, body }),
  };
  const deadline = performance.now() + HAND_OVER_WITHIN_MS + deps.channels.timeoutMs + SETTLE_WITHIN_MS;
  for (;;) {
    const match = await readOnce(deps.dataSource, (reader) => matchEcho(reader, seen, OWN_ECHO_WINDOW_MS));
    if (match === 'ours') return true;
    if (match === 'not_ours' || performance.now() > deadline) return false;
    await delay(ASK_AGAIN_MS, undefined, { signal });
  }
}

/** @returns false for a copy, which changes nothing */
async function receive(
  tx: Transaction,
  deps: Dependencies,
  conversation: LockedConversation,
  echo: ChannelEcho,
): Promise<boolean> {
  const { conversationId, channel, accountId, contactId: recipient, firstArrival: arrival } = conversation;
  const { body, attachments, outbound_message_id: messageId, timestamp_ms: timestampMs } = echo;
  const outboundId = externalReplyId(
    conversationId,
    messageId === undefined
      ? { content: contentSha256([body, attachments ?? []]).toString('hex'), timestampMs }
      : { messageId },
  );
  if ((await findOutbound(tx, outboundId)) !== undefined) return false;

  const reply = {
    outboundId,
    conversationId,
    origin: 'external' as const,
    operator: null,
    turnId: null,
    epoch: conversation.state.epoch,
    arrival,
    answersArrival: arrival,
    channel,
    accountId,
    recipient,
    body,
    msgKind: attachments === undefined ? ('text' as const) : ('media' as const),
    attachments: attachments === undefined ? null : JSON.stringify(attachments),
    replyToMsgId: null,
    textSha256: outboundTextSha256({ channel, accountId, recipient, body }),
    sessionId: conversation.sessionId,
    senderId: `operator:${EXTERNAL_OPERATOR}`,
    sourcePlugin: `echo:${channel}`,
    idempotencyKey: null,
    contentSha256: null,
    command: null,
  };
  await insertOutbound(tx, reply, 0);
  const outbound = await lockOutbound(tx, outboundId);
  if (outbound === undefined) throw new Error(`outbound ${outboundId} vanished while it was being recorded`);
  const sent = { status: 'sent' as const, outboundMessageId: messageId ?? null };
  await recordOutcome(tx, deps, conversation, outbound, sent, timestampMs);
  if (deps.autoPauseOnExternalReply) await pause(tx, conversation);
  return true;
}

async function pause(tx: Transaction, conversation: LockedConversation): Promise<void> {
  const command = {
    kind: 'pause' as const,
    operatorTokenHash: EXTERNAL_OPERATOR,
    reason: PAUSE_REASON,
    autoResumeAfterMs: undefined,
    takeOver: false,
  };
  const decision = decide(conversation.state, command, conversation.nowMs);
  if (decision.kind !== 'paused') return;
  const scope = scopeOf(conversation);
  await hold(tx, conversation, decision.next, scope, { operator: { tokenHash: EXTERNAL_OPERATOR, capabilities: [] } });
  await insertAuditRow(tx, {
    operator: EXTERNAL_OPERATOR,
    method: 'nexo/admin/processing/pause',
    scope,
    outcome: 'ok',
    changed: true,
    reason: PAUSE_REASON,
    correlationId: randomUUID(),
    paramsSha256: '',
  });
}
