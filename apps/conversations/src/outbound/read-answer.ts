import type { ChannelAnswer } from '#broker/channel-requests.js';
import { MAX_CHANNEL_ANSWER_BYTES, MAX_CHANNEL_WORDS } from '#contracts/limits.js';
import { OutboundAck } from '#contracts/outbound-ack.js';

/** What a channel's answer says of a message, or the lack of one. */
export type ChannelVerdict =
  | { status: 'sent'; outboundMessageId: string | null }
  | { status: 'rejected'; reason: string; detail: string | null }
  | { status: 'unavailable'; missing: 'channel' | 'broker' }
  /** `why`: a machine word. */
  | { status: 'unknown'; why: 'no_answer' | 'not_understood' | 'sender_ended' };

/** An answer that cannot be understood says nothing of whether the message was sent. */
export function readAnswer(answer: ChannelAnswer): ChannelVerdict {
  switch (answer.kind) {
    case 'nobody':
      return { status: 'unavailable', missing: 'channel' };
    case 'silence':
      return { status: 'unknown', why: 'no_answer' };
    case 'too_large':
      return { status: 'rejected', reason: 'too_large', detail: null };
    case 'answer':
      return readPayload(answer.payload);
    default:
      return answer satisfies never;
  }
}

function readPayload(payload: Uint8Array): ChannelVerdict {
  const ack = payload.length <= MAX_CHANNEL_ANSWER_BYTES ? OutboundAck.safeParse(parsed(payload)) : undefined;
  if (!ack?.success) return { status: 'unknown', why: 'not_understood' };
  if (ack.data.error !== undefined) {
    const { reason, detail } = ack.data.error;
    return { status: 'rejected', reason: inBrief(reason), detail: detail === undefined ? null : inBrief(detail) };
  }
  return { status: 'sent', outboundMessageId: ack.data.outbound_message_id ?? null };
}

function parsed(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(payload));
  } catch {
    return undefined;
  }
}

/** The beginning of a channel's words, whole characters only. */
export function inBrief(words: string): string {
  if (words.length <= MAX_CHANNEL_WORDS) return words;
  return Array.from(words).slice(0, MAX_CHANNEL_WORDS).join('');
}
