import {
  claimAcknowledgements,
  type DueAcknowledgement,
  endAcknowledgement,
} from '#store/queries/escalation-acknowledgements.js';
import { findPendingEscalation } from '#store/queries/find-escalation.js';
import { findScope } from '#store/queries/find-scope.js';
import type { LockedConversation } from '#store/queries/lock-conversation.js';
import { readOnce } from '#store/read.js';
import { type Transaction, withTransaction } from '#store/transaction.js';

import { scopeOf } from '../control-state.js';
import type { Dependencies } from '../dependencies.js';
import { type Admission, sendOutbound } from '../outbound/send-outbound.js';

const AT_ONCE = 20;
/** Longer than a message to a channel takes, with all its grace. */
const RETRY_AFTER_MS = 30_000;

/**
 * Tells contacts that a person was asked for, once an escalation. It is told again later only if nobody was there to
 * be asked to send it. While an operator holds the conversation nothing is said: the operator speaks.
 * @returns how many were claimed
 */
export async function acknowledgeEscalations(deps: Dependencies): Promise<number> {
  const { ackText } = deps.escalations;
  if (ackText === undefined) return 0;
  const due = await withTransaction(deps.dataSource, (tx) => claimAcknowledgements(tx, RETRY_AFTER_MS, AT_ONCE));
  await Promise.all(due.map((each) => acknowledge(deps, each, ackText)));
  return due.length;
}

async function acknowledge(deps: Dependencies, due: DueAcknowledgement, text: string): Promise<void> {
  const { escalationId, conversationId } = due;
  const stored = await readOnce(deps.dataSource, (reader) => findScope(reader, conversationId));
  if (stored === undefined) return;
  const outcome = await sendOutbound<'not_needed'>(deps, {
    outboundId: escalationId,
    scope: scopeOf(stored),
    admit: (tx, conversation) => admit(tx, escalationId, text, conversation),
  });
  if (outcome.status === 'unavailable') return;
  if (outcome.status === 'rejected') deps.logger.warn(due, 'a channel refused to tell a contact of an escalation');
  await withTransaction(deps.dataSource, (tx) => endAcknowledgement(tx, escalationId));
}

async function admit(
  tx: Transaction,
  escalationId: string,
  text: string,
  conversation: LockedConversation | undefined,
): Promise<Admission<'not_needed'>> {
  const pending = conversation && (await findPendingEscalation(tx, conversation.conversationId));
  const isFree = conversation?.state.state === 'agent_active';
  if (!isFree || pending?.escalationId !== escalationId) return { kind: 'stopped', result: 'not_needed' };
  const { channel, accountId: account_id, contactId: to } = conversation;
  return {
    kind: 'send',
    outbound: {
      origin: 'agent',
      action: { kind: 'reply', channel, account_id, to, body: text, msg_kind: 'text' },
      line: {
        sessionId: conversation.sessionId,
        senderId: `agent:${conversation.agentId}`,
        sourcePlugin: channel,
      },
    },
  };
}
