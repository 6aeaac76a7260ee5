import type { Outbound } from '#store/outbound.js';

/** What became of a message to a channel. Each but `unavailable` is final for its `outboundId`. */
export type OutboundOutcome =
  /** The channel took it. `stamped`: it is a line of the transcript. */
  | { status: 'sent'; outboundId: string; outboundMessageId?: string; stamped: boolean }
  /** The channel refused it, in these words. */
  | { status: 'rejected'; reason: string; detail?: string }
  /** Nobody was there to be asked; nothing was sent. `broker`: the broker itself is away. */
  | { status: 'unavailable'; missing: 'channel' | 'broker' }
  /** It was or may have been handed to the channel, and there was no answer that could be understood. */
  | { status: 'unknown' }
  /** A pause called it back before the channel was asked. */
  | { status: 'recalled' };

/** The outcome that is recorded of a message; undefined while it is on its way. */
export function recordedOutcome(outbound: Outbound): OutboundOutcome | undefined {
  switch (outbound.status) {
    case 'sending':
    case 'handed_over':
      return undefined;
    case 'sent':
      return {
        status: 'sent',
        outboundId: outbound.outboundId,
        ...(outbound.outboundMessageId === null ? {} : { outboundMessageId: outbound.outboundMessageId }),
        stamped: outbound.entrySeq !== null,
      };
    case 'rejected':
      return {
        status: 'rejected',
        reason: outbound.reason ?? '',
        ...(outbound.detail === null ? {} : { detail: outbound.detail }),
      };
    case 'unavailable':
      return { status: 'unavailable', missing: outbound.reason === 'broker' ? 'broker' : 'channel' };
    case 'unknown':
    case 'recalled':
      return { status: outbound.status };
    default:
      return outbound.status satisfies never;
  }
}
