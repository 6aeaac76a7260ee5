import type { Msg } from '@nats-io/nats-core';
import type { PublishFailure, PublishOutcome } from './stream-publisher.js';

interface WireAck {
  seq?: number;
  duplicate?: boolean;
  error?: { code: number; err_code?: number; description?: string };
}

/** JetStream's error numbers by what they mean for a publisher; those absent here are `refused`. */
const FAILURE_OF_ERROR_CODE: Record<number, PublishFailure> = {
  10071: 'wrong_last_sequence',
  10164: 'wrong_last_sequence',
  10054: 'too_large',
  10002: 'stream_full', // the account's resources
  10023: 'stream_full', // the server's resources
  10028: 'stream_full', // the server's memory
  10047: 'stream_full', // the server's storage
  10122: 'stream_full', // the account's limits
};

/** The server reports a full stream and a failing disk under one number; only the text tells them apart. */
const STORE_FAILED = 10077;
const WRONG_SEQUENCE_TEXT = /^wrong last sequence: (\d+)$/;
const FULL_TEXT = /maximum (messages|bytes)/;

/** Reads the answer of the server to one message published to JetStream. */
export function parsePublishAck(message: Msg): PublishOutcome {
  if (message.data.length === 0 && message.headers?.code === 503) {
    return { ok: false, reason: 'no_stream', detail: 'no stream takes this subject, or JetStream is not running' };
  }
  let ack: WireAck;
  try {
    ack = message.json<WireAck>();
  } catch {
    return { ok: false, reason: 'refused', detail: 'the answer is not an acknowledgement of JetStream' };
  }
  if (ack.error) {
    const { code, err_code: errorCode = code, description = '' } = ack.error;
    const full = errorCode === STORE_FAILED && FULL_TEXT.test(description);
    const reason = full ? 'stream_full' : (FAILURE_OF_ERROR_CODE[errorCode] ?? 'refused');
    const told = WRONG_SEQUENCE_TEXT.exec(description)?.[1];
    return {
      ok: false,
      reason,
      detail: `${description} (${errorCode})`,
      ...(told === undefined ? {} : { lastSequence: Number(told) }),
    };
  }
  if (typeof ack.seq !== 'number') {
    return { ok: false, reason: 'refused', detail: 'the answer is not an acknowledgement of JetStream' };
  }
  return { ok: true, seq: ack.seq, duplicate: ack.duplicate === true };
}
