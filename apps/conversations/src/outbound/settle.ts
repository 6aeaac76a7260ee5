import { randomUUID } from 'node:crypto';

import type { Outbound } from '#store/outbound.js';
import { appendEntries, type NewEntry } from '#store/queries/append-entries.js';
import { lockOutbound } from '#store/queries/find-outbound.js';
import { insertAuditRow } from '#store/queries/insert-audit-row.js';
import { insertOutbox } from '#store/queries/insert-outbox.js';
import { lockConversation, type LockedConversation } from '#store/queries/lock-conversation.js';
import { markAnswered } from '#store/queries/mark-answered.js';
import { setEntryDelivery } from '#store/queries/set-entry-delivery.js';
import { settleOutbound } from '#store/queries/settle-outbound.js';
import { touchConversation } from '#store/queries/touch-conversation.js';
import { type Transaction, withTransaction } from '#store/transaction.js';

import { scopeOf } from '../control-state.js';
import { eventRow } from '../outbox-messages.js';
import { transcriptAppended } from '../transcript-appended.js';
import type { OutboundDependencies } from './outbound-dependencies.js';
import { type OutboundOutcome, recordedOutcome } from './outcome.js';
import type { ChannelVerdict } from './read-answer.js';

/** A message and the conversation that it belongs to. */
export interface OutboundPlace {
  conversationId: string;
  outboundId: string;
}

/**
 * Records what became of a message, with all that follows: its line in the transcript, that it answers, the audit row
 * of its command.
 * @param mayBeSettled asked with the message locked and the database's clock; if it says no, nothing is written
 * @param written the text, where the database may not have it any more
 * @returns the outcome that stands recorded now; undefined if there is none yet
 */
export async function settle(
  deps: OutboundDependencies,
  { conversationId, outboundId }: OutboundPlace,
  verdict: ChannelVerdict,
  mayBeSettled: (outbound: Outbound, nowMs: number) => boolean,
  written?: Pick<Outbound, 'body' | 'attachments'>,
): Promise<OutboundOutcome | undefined> {
  const { outcome, settled } = await withTransaction(deps.dataSource, async (tx) => {
    const conversation = await lockConversation(tx, conversationId);
    const outbound = await lockOutbound(tx, outboundId);
    if (conversation === undefined || outbound === undefined) return { outcome: undefined, settled: undefined };
    if (!mayBeSettled(outbound, conversation.nowMs)) return { outcome: recordedOutcome(outbound), settled: undefined };
    return {
      outcome: await recordOutcome(tx, deps, conversation, { ...outbound, ...textOf(written ?? outbound) }, verdict),
      settled: outbound,
    };
  });
  if (settled !== undefined) {
    deps.metrics.countOutbound(settled.origin, verdict.status);
    deps.relay.nudge([conversationId]);
  }
  return outcome;
}

function textOf({ body, attachments }: Pick<Outbound, 'body' | 'attachments'>) {
  return { body, attachments };
}

/** The same in the transaction of the caller, who has locked the conversation and the message. */
export async function recordOutcome(
  tx: Transaction,
  { redactor }: Pick<OutboundDependencies, 'redactor'>,
  conversation: LockedConversation,
  outbound: Outbound,
  verdict: ChannelVerdict,
  sentAtMs = outbound.createdAtMs,
): Promise<OutboundOutcome | undefined> {
  const redacted = {
    body: redactor.redactText(outbound.body),
    attachments:
      outbound.attachments === null
        ? null
        : JSON.stringify(redactor.redactJson(JSON.parse(outbound.attachments) as unknown)),
  };
  const entrySeq =
    verdict.status === 'sent' ? await stamp(tx, conversation, { ...outbound, ...redacted }, sentAtMs) : null;
  const settlement = {
    outboundId: outbound.outboundId,
    status: verdict.status,
    outboundMessageId: verdict.status === 'sent' ? verdict.outboundMessageId : null,
    reason: reasonOf(verdict),
    detail: verdict.status === 'rejected' ? verdict.detail : null,
    entrySeq,
    ...redacted,
  };
  const said = verdict.status === 'sent' || verdict.status === 'unknown';
  await Promise.all([
    settleOutbound(tx, settlement),
    said ? touchConversation(tx, conversation.conversationId, conversation.nowMs) : undefined,
    said && outbound.answersArrival !== null
      ? markAnswered(tx, conversation.conversationId, {
          by: outbound.origin === 'agent' ? 'agent' : 'operator',
          arrival: outbound.answersArrival,
        })
      : undefined,
    audit(tx, conversation, outbound, verdict),
  ]);
  return recordedOutcome({ ...outbound, ...settlement });
}

/** @returns the `seq` of its line; null if it is to become none */
async function stamp(
  tx: Transaction,
  conversation: LockedConversation,
  outbound: Outbound,
  sentAtMs: number,
): Promise<number | null> {
  if (outbound.sessionId === null) return null;
  const { agentId, conversationId } = conversation;
  const line: NewEntry = {
    sessionId: outbound.sessionId,
    agentId,
    conversationId,
    arrival: outbound.arrival,
    eventId: randomUUID(),
    role: 'assistant',
    body: outbound.body,
    sentAtMs,
    senderId: outbound.senderId,
    sourcePlugin: outbound.sourcePlugin,
    messageId: null,
    attachments: outbound.attachments,
    replayed: false,
  };
  const [seq = 0] = await appendEntries(tx, [line]);
  await Promise.all([
    setEntryDelivery(tx, { sessionId: line.sessionId, agentId, seq }, outbound.delivery ?? 'sent'),
    insertOutbox(tx, [eventRow(conversationId, transcriptAppended(line, seq))]),
  ]);
  return seq;
}

async function audit(
  tx: Transaction,
  conversation: LockedConversation,
  { command, operator }: Outbound,
  verdict: ChannelVerdict,
): Promise<void> {
  if (command === null || operator === null) return;
  const outcomes = { sent: 'ok', rejected: 'refused', unavailable: 'refused', unknown: 'error' } as const;
  const reasons = { sent: undefined, rejected: 'channel_rejected', unavailable: undefined, unknown: 'channel_timeout' };
  const missing = verdict.status === 'unavailable' ? verdict.missing : undefined;
  await insertAuditRow(tx, {
    operator,
    method: command.method,
    scope: scopeOf(conversation),
    outcome: missing === 'broker' ? 'error' : outcomes[verdict.status],
    changed: verdict.status === 'sent',
    reason:
      missing === undefined ? reasons[verdict.status] : missing === 'broker' ? 'unavailable' : 'channel_unavailable',
    correlationId: command.correlationId,
    paramsSha256: command.paramsSha256,
  });
}

function reasonOf(verdict: ChannelVerdict): string | null {
  switch (verdict.status) {
    case 'sent':
      return null;
    case 'rejected':
      return verdict.reason;
    case 'unavailable':
      return verdict.missing;
    case 'unknown':
      return verdict.why;
    default:
      return verdict satisfies never;
  }
}
