import { hash } from 'node:crypto';

import type { ConversationScope } from '#contracts/processing-scope.js';

/** Identities of the copy of an inbound, from the strongest to the weakest. */
export type InboundIdentity =
  | { kind: 'message_id'; messageId: string }
  | { kind: 'header'; messageId: string }
  | { kind: 'stream'; seq: number; receivedAtMs: number };

/** The key of a conversation: the same identity gives the same UUID in every process, without asking the database. */
export function conversationId(scope: ConversationScope): string {
  return hashedUuid([
    'conversation',
    scope.agent_id,
    scope.channel,
    scope.account_id,
    scope.contact_id,
    scope.mcp_channel_source ?? '',
  ]);
}

/**
 * The key of an inbound within its conversation, and the id of the turn that it causes. A stream sequence is taken
 * together with the time at which the stream received it, since a stream that was rolled back gives numbers again.
 */
export function inboundId(conversation: string, identity: InboundIdentity): string {
  switch (identity.kind) {
    case 'message_id':
      return hashedUuid([conversation, 'message_id', identity.messageId]);
    case 'header':
      return hashedUuid([conversation, 'header', identity.messageId]);
    case 'stream':
      return hashedUuid([conversation, 'stream', String(identity.seq), String(identity.receivedAtMs)]);
    default:
      return identity satisfies never;
  }
}

/** The id of the turn that hands a conversation back at `epoch`. */
export function resumeTurnId(conversation: string, epoch: number): string {
  return hashedUuid([conversation, 'resume', String(epoch)]);
}

/** The id of a reply of the agent: the same content for the same turn is the same message. */
export function agentReplyId(turnId: string, contentSha256: Buffer): string {
  return hashedUuid([turnId, 'reply', contentSha256.toString('hex')]);
}

/** The id of the draft that a reply of the agent is kept as when it is not sent. */
export function draftId(agentReplyId: string): string {
  return hashedUuid([agentReplyId, 'draft']);
}

/** The id of the event which says that the agent gave up on a turn: it is said once. */
export function turnFailureId(turnId: string): string {
  return hashedUuid([turnId, 'turn_failed']);
}

/**
 * The key of what a channel saw leave its account beside Holdline, within a conversation: by the channel's id of it,
 * or else by what it says and when.
 */
export function externalReplyId(
  conversation: string,
  reply: { messageId: string } | { content: string; timestampMs: number },
): string {
  return 'messageId' in reply
    ? hashedUuid([conversation, 'external_message', reply.messageId])
    : hashedUuid([conversation, 'external_text', String(reply.timestampMs), reply.content]);
}

/** 122 bits of SHA-256 over the length-prefixed parts, as a UUID of version 8 (RFC 9562). */
function hashedUuid(parts: string[]): string {
  let text = '';
  for (const part of parts) text += `${part.length}:${part}`;
  const hex = hash('sha256', text, 'hex');
  const variant = ((parseInt(hex[16] ?? '0', 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
