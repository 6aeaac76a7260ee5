import type { Outbound } from '../outbound.js';
import type { Transaction } from '../transaction.js';

/** A message to be sent; it has no outcome yet. */
export type NewOutbound = Omit<
  Outbound,
  'status' | 'outboundMessageId' | 'reason' | 'detail' | 'delivery' | 'entrySeq' | 'createdAtMs' | 'expiresAtMs'
>;

const INSERT_OUTBOUND = {
  name: 'insert-outbound',
  text: `
    INSERT INTO outbounds (outbound_id, conversation_id, origin, operator, turn_id, epoch, arrival, answers_arrival,
      channel, account_id, recipient, body, msg_kind, attachments, reply_to_msg_id, text_sha256, session_id, sender_id,
      source_plugin, idempotency_key, content_sha256, command, status, created_at_ms, expires_at_ms)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
      'sending', now_ms, now_ms + $23
    FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms) AS clock
    ON CONFLICT (outbound_id) DO UPDATE SET epoch = excluded.epoch, arrival = excluded.arrival,
      answers_arrival = excluded.answers_arrival, body = excluded.body, attachments = excluded.attachments,
      session_id = excluded.session_id, idempotency_key = excluded.idempotency_key,
      content_sha256 = excluded.content_sha256, command = excluded.command, status = excluded.status,
      settled_at_ms = NULL, created_at_ms = excluded.created_at_ms, expires_at_ms = excluded.expires_at_ms
      WHERE outbounds.status = 'unavailable'`,
};

/**
 * Adds a message that is to be sent, in the transaction that decides so. One of the same id that nobody was there to
 * take is sent again.
 * @param expiresAfterMs after which it counts as lost if there is no outcome
 */
export async function insertOutbound(tx: Transaction, outbound: NewOutbound, expiresAfterMs: number): Promise<void> {
  const inserted = await tx.affected(INSERT_OUTBOUND, [
    outbound.outboundId,
    outbound.conversationId,
    outbound.origin,
    outbound.operator,
    outbound.turnId,
    outbound.epoch,
    outbound.arrival,
    outbound.answersArrival,
    outbound.channel,
    outbound.accountId,
    outbound.recipient,
    outbound.body,
    outbound.msgKind,
    outbound.attachments,
    outbound.replyToMsgId,
    outbound.textSha256,
    outbound.sessionId,
    outbound.senderId,
    outbound.sourcePlugin,
    outbound.idempotencyKey,
    outbound.contentSha256,
    outbound.command === null ? null : JSON.stringify(outbound.command),
    expiresAfterMs,
  ]);
  if (inserted !== 1) throw new Error(`outbound ${outbound.outboundId} is there already`);
}
