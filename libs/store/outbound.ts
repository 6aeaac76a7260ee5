import type { MessageKind } from '#contracts/intervention-action.js';

/** Who caused a message to the contact; `external` is an operator who answered beside Holdline. */
export type OutboundOrigin = 'operator' | 'agent' | 'system' | 'external';

/**
 * Where a message is on its way. `sending`: committed, the channel has not been asked. `handed_over`: it was asked.
 * The others are final: `sent` and `rejected` by its answer, `unavailable` when nobody was there to be asked,
 * `unknown` when there was no answer, `recalled` by a pause before it was asked.
 */
export type OutboundStatus = 'sending' | 'handed_over' | 'sent' | 'rejected' | 'unavailable' | 'unknown' | 'recalled';

/** What the channel last reported of a message that it took. */
export type OutboundDelivery = 'delivered' | 'read' | 'failed';

/** The command that a message is the effect of, to be audited with its outcome. */
export interface OutboundCommand {
  method: string;
  correlationId: string;
  paramsSha256: string;
}

/** One message to a channel. */
export interface Outbound {
  outboundId: string;
  conversationId: string;
  origin: OutboundOrigin;
  /** The operator's hash; null if no operator wrote it. */
  operator: string | null;
  turnId: string | null;
  epoch: number;
  /** Its place in the order of arrival. */
  arrival: number;
  /** What arrived up to this number is answered once it was sent; null if it answers nothing. */
  answersArrival: number | null;
  channel: string;
  accountId: string;
  recipient: string;
  /** As written until there is an outcome, redacted afterwards; so are the attachments. */
  body: string;
  msgKind: MessageKind;
  /** JSON text of an array. */
  attachments: string | null;
  replyToMsgId: string | null;
  /** By which an echo of it is recognised. */
  textSha256: Buffer;
  /** The transcript that it is stamped into once it was sent; null if into none. */
  sessionId: string | null;
  senderId: string | null;
  sourcePlugin: string;
  status: OutboundStatus;
  outboundMessageId: string | null;
  /** The channel's words on why it refused. */
  reason: string | null;
  detail: string | null;
  delivery: OutboundDelivery | null;
  /** Where it was stamped; null if it was not. */
  entrySeq: number | null;
  idempotencyKey: string | null;
  /** Of the action that came with the idempotency key. */
  contentSha256: Buffer | null;
  command: OutboundCommand | null;
  createdAtMs: number;
  /** When it counts as lost if there is no outcome; null once there is one. */
  expiresAtMs: number | null;
}

export interface OutboundRow {
  outbound_id: string;
  conversation_id: string;
  origin: OutboundOrigin;
  operator: string | null;
  turn_id: string | null;
  epoch: string;
  arrival: string;
  answers_arrival: string | null;
  channel: string;
  account_id: string;
  recipient: string;
  body: string;
  msg_kind: MessageKind;
  attachments: string | null;
  reply_to_msg_id: string | null;
  text_sha256: Buffer;
  session_id: string | null;
  sender_id: string | null;
  source_plugin: string;
  status: OutboundStatus;
  outbound_message_id: string | null;
  reason: string | null;
  detail: string | null;
  delivery: OutboundDelivery | null;
  entry_seq: string | null;
  idempotency_key: string | null;
  content_sha256: Buffer | null;
  command: string | null;
  created_at_ms: string;
  expires_at_ms: string | null;
}

export const OUTBOUND_COLUMNS = `outbound_id, conversation_id, origin, operator, turn_id, epoch, arrival,
  answers_arrival, channel, account_id, recipient, body, msg_kind, attachments, reply_to_msg_id, text_sha256, session_id,
  sender_id, source_plugin, status, outbound_message_id, reason, detail, delivery, entry_seq, idempotency_key,
  content_sha256, command, created_at_ms, expires_at_ms`;

export function toOutbound(row: OutboundRow): Outbound {
  return {
    outboundId: row.outbound_id,
    conversationId: row.conversation_id,
    origin: row.origin,
    operator: row.operator,
    turnId: row.turn_id,
    epoch: Number(row.epoch),
    arrival: Number(row.arrival),
    answersArrival: row.answers_arrival === null ? null : Number(row.answers_arrival),
    channel: row.channel,
    accountId: row.account_id,
    recipient: row.recipient,
    body: row.body,
    msgKind: row.msg_kind,
    attachments: row.attachments,
    replyToMsgId: row.reply_to_msg_id,
    textSha256: row.text_sha256,
    sessionId: row.session_id,
    senderId: row.sender_id,
    sourcePlugin: row.source_plugin,
    status: row.status,
    outboundMessageId: row.outbound_message_id,
    reason: row.reason,
    detail: row.detail,
    delivery: row.delivery,
    entrySeq: row.entry_seq === null ? null : Number(row.entry_seq),
    idempotencyKey: row.idempotency_key,
    contentSha256: row.content_sha256,
    command: row.command === null ? null : (JSON.parse(row.command) as OutboundCommand),
    createdAtMs: Number(row.created_at_ms),
    expiresAtMs: row.expires_at_ms === null ? null : Number(row.expires_at_ms),
  };
}
