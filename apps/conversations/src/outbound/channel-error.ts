import { channelRejected, channelTimeout, channelUnavailable, type RpcError, unavailable } from '#contracts/errors.js';

import type { OutboundOutcome } from './outcome.js';

/** What the caller is told of a message that was not sent, or not for certain. */
export function channelError(
  outcome: Extract<OutboundOutcome, { status: 'rejected' | 'unavailable' | 'unknown' }>,
): RpcError {
  switch (outcome.status) {
    case 'rejected':
      return channelRejected(outcome.detail ?? outcome.reason, outcome.reason);
    case 'unavailable':
      return outcome.missing === 'broker'
        ? unavailable('the broker is away; nothing was sent')
        : channelUnavailable('nobody serves this channel account; nothing was sent');
    case 'unknown':
      return channelTimeout('the channel has not confirmed the message, which may have been sent');
    default:
      return outcome satisfies never;
  }
}
